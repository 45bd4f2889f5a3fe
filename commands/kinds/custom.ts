import type { CellValue } from '../../src/contract/live.ts';
import type { CustomObject, CustomResourceDefinition, PrinterColumn } from '../../src/kube/custom.ts';
import { compileJsonPath } from '../../src/kube/json-path.ts';
import type { Condition } from '../../src/kube/object.ts';
import type { Resource } from '../../src/registry/builtin.ts';
import {
  type AnyKind,
  type CellFormat,
  type Column,
  type ColumnShorthand,
  completeKind,
  type KindStatus,
} from '../../src/registry/kind.ts';
import { coreGroup, formatResourceKey, parseResourceKey } from '../../src/registry/resource-key.ts';

/** Most columns taken from one definition: a table has an end. */
const mostColumns = 20;

/** `Certificates` from Certificate and certificates: the plural as people would write it. */
function titleOf(kind: string, plural: string): string {
  return plural.startsWith(kind.toLowerCase())
    ? `${kind}${plural.slice(kind.length)}`
    : `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
}

function isCondition(value: unknown): value is Condition {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('status' in value)) return false;
  const { type, status, reason } = value as { type: unknown; status: unknown; reason?: unknown };
  return [type, status, reason ?? ''].every((one) => typeof one === 'string');
}

/** Status by what custom objects agree on: a Ready (or Available) condition, else a phase. */
function customStatus(object: CustomObject): KindStatus {
  if (object.metadata?.deletionTimestamp !== undefined) return { tone: 'info', label: 'Terminating' };
  const { conditions, phase } = object.status ?? {};
  const known = Array.isArray(conditions) ? conditions.filter(isCondition) : [];
  const ready = known.find(({ type }) => type === 'Ready') ?? known.find(({ type }) => type === 'Available');
  if (ready?.status === 'True') return { tone: 'ok', label: ready.type };
  if (ready?.status === 'False') return { tone: 'warn', label: ready.reason || `Not ${ready.type}` };
  if (ready !== undefined) return { tone: 'info', label: ready.reason || `${ready.type} unknown` };
  return typeof phase === 'string' && phase !== ''
    ? { tone: 'info', label: phase }
    : { tone: 'idle', label: 'No status' };
}

const formats: Readonly<Record<string, CellFormat>> = { integer: 'number', number: 'number', date: 'age' };

function printed(value: unknown, format: CellFormat): CellValue {
  if (format === 'age') {
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) ? null : Math.floor(time / 1000);
  }
  if (format === 'number') {
    const number = typeof value === 'string' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : null;
  }
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function columnOf(definition: PrinterColumn, taken: Set<string>): Column<CustomObject> | undefined {
  const { name = '', type = 'string', jsonPath = '', priority = 0 } = definition;
  if (name === '' || jsonPath === '' || jsonPath === '.metadata.creationTimestamp') return undefined;
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'column';
  let id = base;
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`;
  taken.add(id);
  const format = formats[type] ?? 'text';
  const read = compileJsonPath(jsonPath);
  return {
    id,
    label: name,
    format,
    dropAt: 3,
    ...(priority > 0 ? { wide: true as const } : {}),
    value: (object) => {
      const found = read(object);
      if (found.length > 1 && format === 'text') return found.map((one) => String(printed(one, format)));
      return printed(found[0], format);
    },
  };
}

interface GenericKind {
  readonly resource: Resource;
  readonly permissions: AnyKind['permissions'];
  readonly aliases?: readonly string[];
  readonly paths?: AnyKind['paths'];
  readonly printerColumns?: readonly PrinterColumn[];
}

/**
 * A kind for a resource that has no file: generic columns and sections, the actions of every object.
 * Its id is the resource's key. Without permissions it is for Owners only.
 */
export function genericKind({
  resource,
  permissions,
  aliases,
  paths,
  printerColumns = [],
}: GenericKind): AnyKind {
  const { group, version, plural, kind, scope } = resource;
  const segment = `objects/${group === '' ? coreGroup : group}/${plural}`;
  const taken = new Set(['namespace', 'name', 'status', 'labels', 'age']);
  const columns = printerColumns.slice(0, mostColumns).flatMap((column) => columnOf(column, taken) ?? []);
  const first: readonly ColumnShorthand[] = scope === 'Namespaced' ? ['namespace', 'name'] : ['name'];
  return completeKind<CustomObject>({
    id: formatResourceKey(resource),
    kind,
    group,
    version,
    plural,
    scope,
    title: titleOf(kind, plural),
    permissions,
    ...(aliases === undefined ? {} : { aliases }),
    paths: paths ?? {
      list: `/clusters/:clusterId/${segment}`,
      detail: [
        scope === 'Namespaced'
          ? `/clusters/:clusterId/namespaces/:namespaceName/${segment}/:name`
          : `/clusters/:clusterId/${segment}/:name`,
      ],
    },
    status: customStatus,
    columns: [...first, 'status', ...columns, 'labels', 'age'],
    sections: ['metadata', 'conditions', 'events', 'yaml'],
  });
}

/** Who may do what with custom objects. */
export const customPermissions: AnyKind['permissions'] = {
  view: 'namespaces.view',
  manage: 'resources.manage',
};

/**
 * The kind of a CustomResourceDefinition, with its printer columns.
 * @param version one that it serves; its storage version without it, else the first served
 * @returns undefined when the definition is not usable or does not serve the version
 */
export function customKind(definition: CustomResourceDefinition, version?: string): AnyKind | undefined {
  const { group = '', scope, names = {}, versions = [] } = definition.spec ?? {};
  const served = versions.filter((one) => one.served === true && one.name !== undefined);
  const chosen =
    version === undefined
      ? (served.find((one) => one.storage === true) ?? served[0])
      : served.find((one) => one.name === version);
  const { kind, plural } = names;
  if (chosen?.name === undefined || kind === undefined || plural === undefined) return undefined;
  const resource: Resource = {
    group,
    version: chosen.name,
    plural,
    kind,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
  };
  // Names come from the cluster: only those that fit into paths are used.
  if (group === '' || parseResourceKey(formatResourceKey(resource)) === undefined) return undefined;
  const segment = `crds/${plural}.${group}`;
  return genericKind({
    resource,
    permissions: customPermissions,
    aliases: names.shortNames ?? [],
    paths: {
      list: `/clusters/:clusterId/${segment}`,
      detail:
        resource.scope === 'Namespaced'
          ? [`/clusters/:clusterId/namespaces/:namespaceName/${segment}/:resourceName`]
          : [`/clusters/:clusterId/${segment}/:resourceName`],
    },
    ...(chosen.additionalPrinterColumns === undefined
      ? {}
      : { printerColumns: chosen.additionalPrinterColumns }),
  });
}
