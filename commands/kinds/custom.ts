import type { CellValue } from '../../src/contract/live.ts';
import type { CustomObject, CustomResourceDefinition, PrinterColumn } from '../../src/kube/custom.ts';
import { compileJsonPath, longestPath } from '../../src/kube/json-path.ts';
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
import {
  coreGroup,
  formatCustomName,
  formatResourceKey,
  parseResourceKey,
} from '../../src/registry/resource-key.ts';
import { customScale } from '../../src/registry/custom-scale.ts';
import type { Facts } from '../../src/registry/kind-action.ts';
import { cleanText } from '../../src/kube/text.ts';
import { customresourcedefinition } from './customresourcedefinition.ts';
import { knownRefs } from '../../src/registry/known-refs.ts';

// Definitions come from whoever may write them: what is taken of one has an end.
const mostColumns = 20;
const mostPrinted = 200;
const longestLabel = 40;
/** Of a cell in characters, and of a cell of several values in values. */
const longestCell = 1_024;
const mostValues = 50;
const mostAliases = 10;
const kindName = /^[A-Za-z][-A-Za-z0-9]{0,62}$/;
const aliasName = /^[a-z][-a-z0-9]{0,62}$/;

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
  return value === undefined ? null : textOf(value);
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonStart(value, longestCell);
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : text;
}

/** The JSON of a value, written only until it has more than `most` characters: a column may be a whole object. */
function jsonStart(value: unknown, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const [index, key] of Object.keys(value).entries()) {
    if (text.length > most) return text;
    if (index > 0) text += ',';
    if (!isList) text += `${JSON.stringify(key.slice(0, most))}:`;
    text += jsonStart((value as Readonly<Record<string, unknown>>)[key], Math.max(0, most - text.length));
  }
  return `${text}${isList ? ']' : '}'}`;
}

/** What a definition says of a column, where it is one; creation has a column of its own. */
function printerColumn(given: unknown): Required<Omit<PrinterColumn, 'description'>> | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { name, type, jsonPath, priority } = given as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof jsonPath !== 'string') return undefined;
  const label = cleanText(name).replaceAll(/\s+/g, ' ').trim().slice(0, longestLabel);
  if (label === '' || jsonPath === '' || jsonPath === '.metadata.creationTimestamp') return undefined;
  return {
    name: label,
    type: typeof type === 'string' ? type.slice(0, longestLabel) : 'string',
    // One that is too long to be read stays so.
    jsonPath: jsonPath.slice(0, 2 * longestPath),
    priority: typeof priority === 'number' ? priority : 0,
  };
}

type TakenColumn = NonNullable<ReturnType<typeof printerColumn>>;

function columnOf({ name, type, jsonPath, priority }: TakenColumn, taken: Set<string>): Column<CustomObject> {
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'column';
  let id = base;
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`;
  taken.add(id);
  const format = Object.hasOwn(formats, type) ? (formats[type] ?? 'text') : 'text';
  const read = compileJsonPath(jsonPath);
  return {
    id,
    label: name,
    format,
    dropAt: 3,
    ...(priority > 0 ? { wide: true as const } : {}),
    value: (object) => {
      const found = read(object);
      if (found.length > 1 && format === 'text') {
        const values = found.slice(0, mostValues).map(textOf);
        return found.length > mostValues ? [...values, '…'] : values;
      }
      return printed(found[0], format);
    },
  };
}

/** Reads the count of an object; one that has none yet counts as the default of a scale, which is none. */
function replicasAt(path: string): (object: CustomObject) => Facts {
  const read = compileJsonPath(path);
  return (object) => {
    const [count] = read(object);
    return { replicas: typeof count === 'number' ? count : 0 };
  };
}

interface GenericKind {
  readonly resource: Resource;
  readonly permissions: AnyKind['permissions'];
  readonly aliases?: readonly string[];
  readonly paths?: AnyKind['paths'];
  readonly printerColumns?: readonly unknown[];
  /** What its objects name. */
  readonly refs?: AnyKind['refs'] | undefined;
  /** Where the count of its scale subresource stands, a JSON path; it cannot be scaled without. */
  readonly scale?: string | undefined;
  /** Its resource key without it. */
  readonly id?: string;
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
  refs,
  scale,
  id = formatResourceKey(resource),
}: GenericKind): AnyKind {
  const { group, version, plural, kind, scope } = resource;
  const segment = `objects/${group === '' ? coreGroup : group}/${plural}`;
  const taken = new Set(['namespace', 'name', 'status', 'labels', 'age']);
  const printed = printerColumns.slice(0, mostPrinted).flatMap((column) => printerColumn(column) ?? []);
  const columns = printed.slice(0, mostColumns).map((column) => columnOf(column, taken));
  const custom = { printerColumns: printed.slice(0, mostColumns), ...(scale === undefined ? {} : { scale }) };
  const first: readonly ColumnShorthand[] = scope === 'Namespaced' ? ['namespace', 'name'] : ['name'];
  return completeKind<CustomObject>({
    id,
    fingerprint: JSON.stringify([id, resource, permissions, aliases, custom]),
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
    ...(printed.length === 0 && scale === undefined ? {} : { custom }),
    ...(refs === undefined ? {} : { refs }),
    ...(scale === undefined ? {} : { facts: replicasAt(scale), actions: [customScale] }),
    columns: [...first, 'status', ...columns, 'labels', 'age'],
    // What its definition holds worth a column is worth a line: all of them, also those of the wide table.
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

/** Who may do what with custom objects. */
export const customPermissions: AnyKind['permissions'] = {
  view: 'namespaces.view',
  manage: 'resources.manage',
};

/** A version as a definition has it, read without trust in its types. */
interface Version {
  readonly name: string;
  readonly storage: boolean;
  readonly printerColumns: readonly unknown[];
  readonly scale: string | undefined;
}

/** The path of a scale's count, as the API server takes it: a field below spec. */
const scalePath = /^\.spec(?:\.[A-Za-z_][\w-]*)+$/;

function scaleOf(subresources: unknown): string | undefined {
  const { scale } = (subresources ?? {}) as {
    readonly scale?: { readonly specReplicasPath?: unknown } | null;
  };
  const path = scale?.specReplicasPath;
  return typeof path === 'string' && path.length <= longestLabel * 5 && scalePath.test(path)
    ? path
    : undefined;
}

function servedVersions(versions: unknown): readonly Version[] {
  if (!Array.isArray(versions)) return [];
  return versions.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const { name, served, storage, additionalPrinterColumns, subresources } = one as Readonly<
      Record<string, unknown>
    >;
    if (typeof name !== 'string' || served !== true) return [];
    const printerColumns: readonly unknown[] = Array.isArray(additionalPrinterColumns)
      ? additionalPrinterColumns
      : [];
    return [{ name, storage: storage === true, printerColumns, scale: scaleOf(subresources) }];
  });
}

/**
 * The kind of a CustomResourceDefinition, with its printer columns.
 * @param version one that it serves; its storage version without it, else the first served
 * @returns undefined when the definition is not usable or does not serve the version
 */
export function customKind(definition: CustomResourceDefinition, version?: string): AnyKind | undefined {
  const { group = '', scope, names, versions } = definition.spec ?? {};
  const served = servedVersions(versions);
  const preferred = served.find(({ storage }) => storage) ?? served[0];
  const chosen = version === undefined ? preferred : served.find(({ name }) => name === version);
  const { kind, plural, shortNames } = names ?? {};
  if (chosen === undefined || typeof kind !== 'string' || !kindName.test(kind)) return undefined;
  if (typeof plural !== 'string' || typeof group !== 'string') return undefined;
  const resource: Resource = {
    group,
    version: chosen.name,
    plural,
    kind,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
  };
  // Names come from the cluster: only those that fit into paths are used.
  if (group === '' || parseResourceKey(formatResourceKey(resource)) === undefined) return undefined;
  const aliases = (Array.isArray(shortNames) ? shortNames : [])
    .filter((name: unknown) => typeof name === 'string' && aliasName.test(name))
    .slice(0, mostAliases);
  const segment = `crds/${plural}.${group}`;
  return genericKind({
    // In the version the cluster prefers, a custom kind keeps its name when that version becomes another.
    id: chosen === preferred ? formatCustomName(resource) : formatResourceKey(resource),
    resource,
    permissions: customPermissions,
    aliases,
    paths: {
      list: `/clusters/:clusterId/${segment}`,
      detail:
        resource.scope === 'Namespaced'
          ? [`/clusters/:clusterId/namespaces/:namespaceName/${segment}/:resourceName`]
          : [`/clusters/:clusterId/${segment}/:resourceName`],
    },
    printerColumns: chosen.printerColumns,
    refs: knownRefs(group, kind),
    scale: chosen.scale,
  });
}
