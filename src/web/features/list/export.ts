import type { CellValue, Row } from '../../../contract/live.ts';
import { Problem } from '../../../contract/problem.ts';
import { formatAge } from '../../../kube/age.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { csvLine } from '../../../registry/csv.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import type { ApiClient } from '../../data/client.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import { durationIn } from '../cells/row-times.ts';
import { saveText } from '../../kit/save.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { objectYaml } from '../../yaml/object-yaml.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import { statusOf } from '../../data/rows/tones.ts';

/** Objects read for one file; more would ask the cluster for too much at once. */
const maxExported = 500;
/** Objects read at a time. */
const atOnce = 6;

/** A cell as text of its own: times as times, not as ages that are wrong tomorrow. */
function textOf(value: CellValue | undefined, format: CellFormat, now: number): string {
  if (value === null || value === undefined) return '';
  if (format === 'status') return statusOf(value)?.label ?? '';
  if (format === 'age') return typeof value === 'number' ? new Date(value * 1000).toISOString() : '';
  if (format === 'duration') {
    const taken = durationIn(value, now / 1000);
    return taken === undefined ? '' : formatAge(taken);
  }
  if (format === 'restarts') return Array.isArray(value) ? String(value[0] ?? '') : String(value);
  // Of what is used the figure itself: what it is measured against has columns of its own.
  if ((format === 'cores' || format === 'bytes') && Array.isArray(value)) return String(value[0] ?? '');
  if (format === 'object') return Array.isArray(value) ? value.slice(0, 2).join('/') : String(value);
  return Array.isArray(value) ? value.filter((one) => one !== null).join('; ') : String(value);
}

/** Rows as they stand, in the columns that show, as CSV with a line of headings. @param now by the clock of the cluster, ms */
export function csvOf(columns: readonly PlacedColumn[], rows: readonly Row[], now: number): string {
  return [
    columns.map(({ column }) => column.label),
    ...rows.map((row) => columns.map(({ column, index }) => textOf(row[1][index], column.format, now))),
  ]
    .map(csvLine)
    .join('');
}

/**
 * The objects themselves, one document each, in the order of the rows. Those that are gone meanwhile are left out and
 * named in a comment; secrets stay masked. Throws Problem when the cluster cannot be asked.
 */
export async function yamlOf(api: Pick<ApiClient, 'object'>, refs: readonly ObjectRef[]): Promise<string> {
  const texts: string[] = [];
  for (let at = 0; at < refs.length; at += atOnce) {
    const read = refs.slice(at, at + atOnce).map(async ({ cluster, kind, namespace, name }) => {
      const params = { clusterId: Number(cluster), kind, name };
      try {
        const object = await api.object({ params, query: namespace === undefined ? {} : { namespace } });
        return objectYaml(kindById(kind) ?? {}, object);
      } catch (error) {
        if ((error as { readonly status?: unknown }).status !== 404) throw error;
        return `# ${name} was deleted meanwhile.\n`;
      }
    });
    texts.push(...(await Promise.all(read)));
  }
  return texts.join('---\n');
}

/** A list as it shows. */
export interface ShownList {
  readonly api: Pick<ApiClient, 'object'>;
  readonly kind: Pick<KindFacts, 'plural' | 'title'>;
  readonly namespace: string | undefined;
  readonly columns: readonly PlacedColumn[];
  readonly rows: readonly Row[];
  readonly refs: readonly ObjectRef[];
  /** By the clock of the cluster, ms. */
  readonly now: number;
}

/** Hands a list to the browser as a file. Throws Problem for more objects than one file takes. */
export async function saveList(
  format: 'csv' | 'yaml',
  { api, kind, namespace, columns, rows, refs, now }: ShownList,
): Promise<void> {
  const file = `${kind.plural}${namespace === undefined ? '' : `-${namespace}`}.${format}`;
  if (format === 'csv') {
    saveText(file, csvOf(columns, rows, now), 'text/csv');
    return;
  }
  if (refs.length > maxExported) {
    throw new Problem({
      status: 400,
      title: `${refs.length} ${lowerFirst(kind.title)} are more than can be saved as YAML at once (${maxExported}). Filter them first.`,
    });
  }
  saveText(file, await yamlOf(api, refs));
}
