import { kindOfRoute } from '../../../registry/commands/kind-commands.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { splitHref } from '../../../registry/path.ts';
import type { RouteMatch } from '../../../registry/commands/registry.ts';
import { excludedShown } from '../../../registry/commands/route-search.ts';
import type { KnownKinds } from '../../core/kinds/known.ts';
import type { ListTarget } from '../../data/live/targets.ts';
import { type ColumnChoice, noChoice } from '../../core/state/columns.ts';
import { parseSearch } from '../../workspace/search.ts';
import { isChosen } from './columns.ts';

interface ShownRows {
  /** Id of the kind, or the name of one without a file. */
  readonly name: string;
  readonly kind: KindFacts;
  readonly clusterId: number;
  readonly namespace: string | undefined;
  /** With the namespaces that the person leaves out of their views. */
  readonly withExcluded: boolean;
  readonly choice: ColumnChoice;
}

/** The live target of a list page. */
export function listTarget({
  name,
  kind,
  clusterId,
  namespace,
  withExcluded,
  choice,
}: ShownRows): ListTarget {
  // Joins of the wide table cost the cluster requests: they are asked for only while they are shown.
  const wide = kind.columns.some(
    (column) => column.wide === true && column.join !== undefined && isChosen(column, choice),
  );
  const isNamespaced = kind.scope === 'Namespaced';
  return {
    clusterId,
    kind: name,
    namespace: isNamespaced ? namespace : undefined,
    withExcluded,
    wide,
    window: kind.window,
  };
}

/** The same from an address alone, before its page is there; undefined for an address of something else. */
export function listTargetAt(
  href: string,
  match: RouteMatch | undefined,
  kinds: KnownKinds,
  choices: Readonly<Record<string, ColumnChoice>>,
): ListTarget | undefined {
  const name = kindOfRoute(match);
  const cluster = match?.params.clusterId ?? '';
  if (name === undefined || match?.command.shows !== 'list' || !/^[1-9]\d{0,8}$/.test(cluster))
    return undefined;
  const kind = kinds.orUnknown(cluster, name);
  const search = parseSearch(splitHref(href).search);
  return listTarget({
    name,
    kind,
    clusterId: Number(cluster),
    namespace: search.ns,
    withExcluded: search.excluded === excludedShown,
    choice: choices[kind.id] ?? noChoice,
  });
}
