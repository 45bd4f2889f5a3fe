import { type CustomObject, type CustomResourceDefinition, tableCells } from '../../src/kube/custom.ts';
import { compileJsonPath } from '../../src/kube/json-path.ts';
import type { Resource } from '../../src/registry/kinds/builtin.ts';
import { statusRuleOf } from '../../src/registry/custom-status/families.ts';
import { isPart } from '../../src/registry/custom-status/fields.ts';
import type { CustomHealth } from '../../src/registry/custom-status/conclude.ts';
import { attentionOf, statusOf } from '../../src/registry/custom-status/health.ts';
import { customJudge } from '../../src/registry/custom-status/judge.ts';
import {
  type AnyKind,
  type ColumnShorthand,
  completeKind,
  type CustomStatusFacts,
  type KindDefinition,
} from '../../src/registry/kinds/kind.ts';
import {
  formatCustomName,
  formatResourceKey,
  parseResourceKey,
} from '../../src/registry/kinds/resource-key.ts';
import type { Facts } from '../../src/registry/kinds/kind-action.ts';
import { pluralTitle } from '../../src/registry/kinds/kind-title.ts';
import { customresourcedefinition } from './customresourcedefinition.ts';
import { customScale } from './parts/custom-scale.ts';
import { knownRefs } from './parts/known-refs.ts';
import { columnOf, takenColumns } from './parts/printer-columns.ts';

/** The rule for problems of objects of kinds without a file. */
const customRule = 'custom.trouble';
// Definitions come from users of the cluster, so everything read from them has a limit.
const maxScalePathLength = 200;
const maxAliases = 10;
const kindName = /^[A-Za-z][-A-Za-z0-9]{0,62}$/;
const aliasName = /^[a-z][-a-z0-9]{0,62}$/;

/** Judges the health of objects of a kind without a file, and their problems. */
function healthOf(
  { group, kind }: Resource,
  { ignoresGeneration = false }: CustomStatusFacts,
): Pick<Required<KindDefinition<CustomObject>>, 'status' | 'attention' | 'rules'> {
  const judge = customJudge(statusRuleOf(group, kind), ignoresGeneration);
  /** Caches the last result, because status and attention are read of the same object in turn. */
  let last: { readonly object: CustomObject; readonly health: CustomHealth } | undefined;
  const read = (object: CustomObject): CustomHealth => {
    if (last?.object !== object) last = { object, health: judge(object) };
    return last.health;
  };
  return {
    status: (object) => statusOf(read(object)),
    attention: (object) => attentionOf(read(object), customRule, (label) => `It reports “${label}”.`),
    rules: [customRule],
  };
}

/** Reads the replica count of an object; a missing one is the scale's default, 0. */
function replicasAt(path: string): (object: CustomObject) => Facts {
  const compiled = compileJsonPath(path);
  return (object) => {
    const [count] = compiled?.read(object) ?? [];
    return { replicas: typeof count === 'number' ? count : 0 };
  };
}

/** Columns of a Table that a list has of its own, or whose cells are ages at the time at which they were read. */
const ownTableColumns: ReadonlySet<string> = new Set(['name', 'namespace', 'age']);

/** A column of the server's Table as a printer column that reads its cell; none for those that are not shown. */
function tableColumn(given: unknown, index: number): readonly unknown[] {
  if (typeof given !== 'object' || given === null) return [];
  const { name, type, priority } = given as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || ownTableColumns.has(name.toLowerCase()) || type === 'date') return [];
  return [{ name, type, priority, jsonPath: `.${tableCells}[${index}]` }];
}

/** Resources without a file whose deletion takes a namespace along, by plural and group. */
const namespaceHolders: ReadonlySet<string> = new Set(['projects.project.openshift.io']);

interface GenericKind {
  readonly resource: Resource;
  readonly permissions: AnyKind['permissions'];
  readonly aliases?: readonly string[];
  readonly paths?: AnyKind['paths'];
  readonly printerColumns?: readonly unknown[];
  /** The columns of the server's Table, for a resource whose definition cannot be read. */
  readonly tableColumns?: readonly unknown[];
  /** The objects that its objects refer to. */
  readonly refs?: AnyKind['refs'] | undefined;
  /** JSON path of the replica count of the scale subresource; the kind cannot be scaled without one. */
  readonly scale?: string | undefined;
  /** The facts about the objects' status; undefined if they have none. */
  readonly status?: CustomStatusFacts | undefined;
  /** Defaults to its resource key. */
  readonly id?: string;
}

/**
 * A kind for a resource without a file: generic columns and sections, and the actions of every object. Its id is the
 * resource's key. Without permissions it is for Owners only.
 */
export function genericKind({
  resource,
  permissions,
  aliases,
  paths,
  printerColumns = [],
  tableColumns = [],
  refs,
  scale,
  status,
  id = formatResourceKey(resource),
}: GenericKind): AnyKind {
  const { group, version, plural, kind, scope } = resource;
  const taken = new Set(['namespace', 'name', 'status', 'labels', 'age']);
  const printed = takenColumns(printerColumns, status && statusRuleOf(group, kind));
  const columns = printed.map((column) => columnOf(column, taken));
  const fromTable = takenColumns(tableColumns.flatMap(tableColumn), status && statusRuleOf(group, kind));
  const custom = {
    printerColumns: printed,
    ...(scale === undefined ? {} : { scale }),
    ...(status === undefined ? {} : { status }),
  };
  const first: readonly ColumnShorthand[] = scope === 'Namespaced' ? ['namespace', 'name'] : ['name'];
  return completeKind<CustomObject>({
    id,
    fingerprint: JSON.stringify([id, resource, permissions, aliases, custom, ...fromTable]),
    kind,
    group,
    version,
    plural,
    scope,
    title: pluralTitle(kind, plural),
    icon: 'object',
    permissions,
    ...(namespaceHolders.has(`${plural}.${group}`) ? { isDeletionGrave: true as const } : {}),
    ...(aliases === undefined ? {} : { aliases }),
    ...(paths === undefined ? {} : { paths }),
    ...(status === undefined ? {} : healthOf(resource, status)),
    ...(printed.length === 0 && scale === undefined && status === undefined ? {} : { custom }),
    ...(refs === undefined ? {} : { refs }),
    ...(scale === undefined ? {} : { facts: replicasAt(scale), actions: [customScale] }),
    ...(fromTable.length === 0 ? {} : { hasTableCells: true as const }),
    columns: [
      ...first,
      ...(status === undefined ? [] : ['status' as const]),
      ...columns,
      ...fromTable.map((column) => columnOf(column, taken)),
      'labels',
      'age',
    ],
    // Every printer column is also a line of the page, including those of the wide table.
    sections: [
      ...(columns.length === 0
        ? []
        : [
            {
              title: 'Overview',
              fields: columns.map(({ label, format, value }) => ({ label, format, value })),
            },
          ]),
      'conditions',
      ...(refs === undefined ? [] : ['related' as const]),
      'fields',
      'metadata',
      'events',
      'yaml',
    ],
  });
}

/** The kind of the definitions themselves. */
export const definitionKind: AnyKind = customresourcedefinition;

/** Permissions for custom objects. */
export const customPermissions: AnyKind['permissions'] = {
  view: 'namespaces.view',
  manage: 'resources.manage',
};

/** A version of a definition, read without trusting its types. */
interface Version {
  readonly name: string;
  readonly storage: boolean;
  readonly printerColumns: readonly unknown[];
  readonly scale: string | undefined;
  readonly status: CustomStatusFacts | undefined;
}

/** A valid path of a replica count, as the API server restricts it: a field below spec. */
const scalePath = /^\.spec(?:\.[A-Za-z_][\w-]*)+$/;

function scaleOf(subresources: unknown): string | undefined {
  const { scale } = (subresources ?? {}) as {
    readonly scale?: { readonly specReplicasPath?: unknown } | null;
  };
  const path = scale?.specReplicasPath;
  return typeof path === 'string' && path.length <= maxScalePathLength && scalePath.test(path)
    ? path
    : undefined;
}

/**
 * What a version says about the status of its objects. A schema that allows anything allows a status; with a status
 * subresource the generation counts spec changes only.
 */
function statusFactsOf(subresources: unknown, schema: unknown): CustomStatusFacts | undefined {
  if (isPart(subresources) && isPart(subresources['status'])) return {};
  const root = isPart(schema) ? schema['openAPIV3Schema'] : undefined;
  if (!isPart(root)) return undefined;
  const { properties } = root;
  const isOpen = root['x-kubernetes-preserve-unknown-fields'] === true;
  const has = isPart(properties) ? Object.hasOwn(properties, 'status') || isOpen : isOpen;
  return has ? { ignoresGeneration: true } : undefined;
}

function servedVersions(versions: unknown): readonly Version[] {
  if (!Array.isArray(versions)) return [];
  return versions.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const { name, served, storage, additionalPrinterColumns, subresources, schema } = one as Readonly<
      Record<string, unknown>
    >;
    if (typeof name !== 'string' || served !== true) return [];
    const printerColumns: readonly unknown[] = Array.isArray(additionalPrinterColumns)
      ? additionalPrinterColumns
      : [];
    return [
      {
        name,
        storage: storage === true,
        printerColumns,
        scale: scaleOf(subresources),
        status: statusFactsOf(subresources, schema),
      },
    ];
  });
}

/**
 * The kind of a CustomResourceDefinition, with its printer columns.
 * @param version a served version; defaults to the storage version, else the first served one
 * @returns undefined if the definition is invalid or does not serve the version
 */
export function customKind(definition: CustomResourceDefinition, version?: string): AnyKind | undefined {
  const { group = '', scope, names, versions } = definition.spec ?? {};
  const served = servedVersions(versions);
  const preferred = served.find(({ storage }) => storage) ?? served[0];
  const chosen = version === undefined ? preferred : served.find(({ name }) => name === version);
  const { kind: given, plural, shortNames } = names ?? {};
  if (chosen === undefined || typeof plural !== 'string' || typeof group !== 'string') return undefined;
  const resource: Resource = {
    group,
    version: chosen.name,
    plural,
    // An invalid Kind cannot be in a path, so the plural replaces it.
    kind: typeof given === 'string' && kindName.test(given) ? given : plural,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
  };
  return definedKind(resource, shortNames, {
    // The name without a version stays stable when the cluster's preferred version changes.
    id: chosen === preferred ? formatCustomName(resource) : formatResourceKey(resource),
    printerColumns: chosen.printerColumns,
    scale: chosen.scale,
    status: chosen.status,
  });
}

/**
 * The kind of a custom resource as the directory of its cluster names it, without what only its definition tells: its
 * printer columns and its replica count. Undefined if one of its names is invalid.
 * @param shortNames read without trusting their types
 * @param hasSubresource whether it has a status subresource; without one its objects may have a status all the same
 */
export function servedKind(
  resource: Resource,
  shortNames: unknown,
  hasSubresource: boolean,
): AnyKind | undefined {
  const name = kindName.test(resource.kind) ? resource.kind : resource.plural;
  const kind = definedKind({ ...resource, kind: name }, shortNames, {
    id: formatCustomName(resource),
    status: hasSubresource ? {} : { ignoresGeneration: true },
  });
  // Never equal to the kind that its definition makes.
  return kind && { ...kind, fingerprint: `${kind.fingerprint ?? ''} as served` };
}

/** A custom kind at its usual places; undefined if one of its names is invalid. */
function definedKind(
  resource: Resource,
  shortNames: unknown,
  told: Pick<GenericKind, 'id' | 'printerColumns' | 'scale' | 'status'>,
): AnyKind | undefined {
  const { group, plural, kind, scope } = resource;
  // Names come from the cluster: only those that are valid in paths are used.
  if (group === '' || parseResourceKey(formatResourceKey(resource)) === undefined) return undefined;
  const aliases = (Array.isArray(shortNames) ? shortNames : [])
    .filter((name: unknown) => typeof name === 'string' && aliasName.test(name))
    .slice(0, maxAliases);
  const segment = `crds/${plural}.${group}`;
  return genericKind({
    ...told,
    resource,
    permissions: customPermissions,
    aliases,
    paths: {
      list: `/clusters/:clusterId/${segment}`,
      detail:
        scope === 'Namespaced'
          ? [`/clusters/:clusterId/namespaces/:namespaceName/${segment}/:resourceName`]
          : [`/clusters/:clusterId/${segment}/:resourceName`],
    },
    refs: knownRefs(group, kind),
  });
}
