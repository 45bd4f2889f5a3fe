import { useQuery } from '@tanstack/react-query';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useActionStates } from '../actions/use-action-states.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import type { Content } from './content.ts';
import { bounded } from './entries.ts';
import type { PaletteOpening } from './opening.ts';
import { candidate, rankEntries } from './rank-entries.ts';
import { actionEntries } from './subject-entries.ts';

/** The level with the actions of one object. */
export function useActions(opening: PaletteOpening, ref: ObjectRef | undefined, text: string): Content {
  const { registry } = useCommands();
  const { queries, kinds } = useData();
  const clusters = useQuery(queries.clusters).data;
  const states = useActionStates(ref === undefined ? undefined : [ref]);
  if (ref === undefined) return { entries: [], placeholder: '' };
  const cluster = clusters?.find(({ id }) => String(id) === ref.cluster);
  const section = `${kindLabel(ref.kind)} ${ref.name}`;
  const entries = actionEntries({
    registry,
    refs: [ref],
    kind: kinds.orUnknown(ref.cluster, ref.kind),
    states: states.data,
    section,
    cluster,
    may: opening.may,
    keysOf: opening.keysOf,
  });
  return {
    entries: bounded(
      rankEntries(
        entries.map((entry) => candidate(entry)),
        text,
      ).map(({ entry }) => entry),
    ),
    placeholder: `What to do with ${ref.name}`,
    isPending: states.isPending,
    notes: states.isError ? [sentenceOf(states.error)] : [],
  };
}
