import { actionFactsById } from '../../../../commands/kinds/later-facts.ts';
import type { Cluster } from '../../../contract/clusters.ts';
import type { ActionState } from '../../../contract/objects.ts';
import type { RowTarget } from '../../../registry/kinds/cell-link.ts';
import type { Command } from '../../../registry/commands/command.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { objectViewsOf } from '../../../registry/commands/object-views.ts';
import type { May, Registry } from '../../../registry/commands/registry.ts';
import { actionsFor } from '../actions/actions-for.ts';
import { actionsOf } from '../../core/kinds/actions.ts';
import { objectPath } from '../../data/object-path.ts';
import { type Entry, targetEntries } from './entries.ts';

interface SubjectParts {
  readonly registry: Registry;
  readonly refs: readonly [ObjectRef, ...ObjectRef[]];
  /** Their kind. */
  readonly kind: KindFacts;
  /** The server's verdict on its actions; undefined while it is being read. */
  readonly states: readonly ActionState[] | undefined;
  readonly section: string;
  /** Where the objects are. */
  readonly cluster: Cluster | undefined;
  /** The person's permissions there. */
  readonly may: May;
  /** Other objects that the row of the one object names. */
  readonly targets?: readonly RowTarget[] | undefined;
  /** The first keys of a command as this person has them. */
  readonly keysOf: (id: string) => string | undefined;
}

/**
 * Entries for one or several objects: links to their pages when there is one, then the actions the person may do, those
 * that are not possible now with the reason.
 */
export function actionEntries({
  registry,
  refs,
  kind,
  states,
  section,
  cluster,
  may,
  targets = [],
  keysOf,
}: SubjectParts): readonly Entry[] {
  const [first] = refs;
  const subject = { type: 'objects', refs, from: 'args' } as const;
  const isOne = refs.length === 1 && objectPath(first) !== undefined;
  const views = objectViewsOf(registry.commands, first.kind, may, refs.length);
  const copies = objectViewsOf(registry.commands, first.kind, may, refs.length, 'row-menu');
  const pages: Entry[] = isOne
    ? [
        {
          id: 'open',
          section,
          title: 'Open',
          icon: 'open',
          keys: keysOf('table.open'),
          act: { type: 'object', ref: first },
        },
      ]
    : [];
  const entryOf = (command: Command): Entry => ({
    id: `command ${command.id}`,
    section,
    title: String(command.title),
    icon: command.icon,
    keys: keysOf(command.id),
    act: { type: 'command', command, args: {}, subject },
  });
  const acts = actionsFor(actionsOf(kind), states).flatMap(({ action, reason }): Entry[] => {
    const full = actionFactsById(action.id);
    return registry.has(action.id)
      ? [
          {
            id: `command ${action.id}`,
            section,
            title: action.title,
            note:
              cluster?.isProtected === true && (action.dangerous === true || full?.endsPods === true)
                ? `asks for the cluster name: ${cluster.name} is protected`
                : full?.description,
            icon: action.icon,
            keys: keysOf(action.id),
            reason,
            act: { type: 'command', command: registry.get(action.id), args: {}, subject },
          },
        ]
      : [];
  });
  const looks = isOne || refs.length > 1 ? views.map(entryOf) : [];
  return [...pages, ...looks, ...acts, ...copies.map(entryOf), ...targetEntries(targets, section)];
}
