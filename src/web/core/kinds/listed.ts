import type { SearchKind } from '../../../contract/search.ts';
import { builtIns } from '../../../registry/kinds/builtin.ts';
import { generalPaths } from '../../../registry/kinds/kind-paths.ts';
import { pluralTitle } from '../../../registry/kinds/kind-title.ts';
import type { IconName } from '../../../registry/icon-name.ts';
import { formatResourceKey, isCustomName, parseKindName } from '../../../registry/kinds/resource-key.ts';
import { firstFacts } from '../../../../commands/kinds/first-facts.ts';
import { kindById } from './declared.ts';

/** The icon of every kind without a file. */
const kindsIcon: IconName = 'object';

/** A kind as the palette lists it: with a file, built in without one, or made by a definition. */
export interface ListedKind {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly icon: IconName;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Empty for the core group. */
  readonly group: string;
  readonly plural: string;
  /** Pattern of its list's path: the cluster is its only parameter. */
  readonly path: string;
  /** Lower-case: what it may be called. */
  readonly aliases: readonly string[];
}

const declaredKinds: readonly ListedKind[] = firstFacts.map((kind) => ({
  id: kind.id,
  kind: kind.kind,
  title: kind.title,
  icon: kind.icon,
  scope: kind.scope,
  group: kind.group,
  plural: kind.plural,
  path: kind.paths.list,
  aliases: [...new Set([kind.id, kind.kind.toLowerCase(), kind.plural, ...(kind.aliases ?? [])])],
}));

const builtInKinds: readonly ListedKind[] = builtIns
  // Of the two APIs that events have, one has a kind.
  .filter(({ resource }) => resource.plural !== 'events')
  .map(({ resource }) => ({
    id: formatResourceKey(resource),
    kind: resource.kind,
    title: pluralTitle(resource.kind, resource.plural),
    icon: kindsIcon,
    scope: resource.scope,
    group: resource.group,
    plural: resource.plural,
    path: generalPaths(resource).list,
    aliases: [resource.kind.toLowerCase(), resource.plural],
  }));

/** Every kind of a cluster: those of this console, built-ins, then its own. */
export function listedKinds(custom: readonly SearchKind[]): readonly ListedKind[] {
  return [
    ...declaredKinds,
    ...builtInKinds,
    ...custom.map((kind) => ({
      id: kind.id,
      kind: kind.kind,
      title: kind.title,
      icon: kindsIcon,
      scope: kind.scope,
      group: kind.group,
      plural: kind.plural,
      path: `/clusters/:clusterId/crds/${kind.plural}.${kind.group}`,
      aliases: [kind.kind.toLowerCase(), kind.plural, `${kind.plural}.${kind.group}`, ...kind.aliases],
    })),
  ];
}

/** Names that Kubernetes' own kinds have: a definition may use them again. */
const ownNames = new Set([...declaredKinds, ...builtInKinds].map(({ kind }) => kind));

/** The API group of a kind that a definition made, beside its name: several groups may have kinds of one name. */
export function groupOfCustom(id: string): string | undefined {
  return isCustomName(id) ? parseKindName(id)?.group : undefined;
}

/** A kind's name beside its object: with its group where it could be taken for one of Kubernetes' own. */
export function kindNote(id: string, kind: string): string {
  const group = isDeclared(id) || !ownNames.has(kind) ? undefined : groupOfCustom(id);
  return group === undefined ? kind : `${kind} · ${group}`;
}

/** Whether a kind has a file, and with it commands of its own. */
export const isDeclared = (id: string): boolean => kindById(id) !== undefined;

/** The icon of a kind by its id. */
export const iconOfKind = (id: string): IconName => kindById(id)?.icon ?? kindsIcon;
