import type { AuditEntry } from '../../contract/audit.ts';
import { csvLine } from '../../registry/csv.ts';

/** How entries are written into a file. */
export interface EntryFormat {
  /** Media type. */
  readonly type: string;
  /** The beginning of the file. */
  readonly head: string;
  /** One entry, with the end of its line. */
  readonly line: (entry: AuditEntry) => string;
}

const columns: readonly (readonly [title: string, text: (entry: AuditEntry) => string])[] = [
  ['id', ({ id }) => String(id)],
  ['started', ({ startedAt }) => startedAt],
  ['finished', ({ finishedAt }) => finishedAt ?? ''],
  ['person', ({ actor }) => actor],
  ['person id', ({ userId }) => String(userId ?? '')],
  ['action', ({ action }) => action],
  ['status', ({ status }) => String(status ?? '')],
  ['cluster', ({ cluster }) => cluster ?? ''],
  ['cluster id', ({ clusterId }) => String(clusterId ?? '')],
  ['subject', ({ subject }) => JSON.stringify(subject)],
  ['changes', ({ changes }) => (changes === null ? '' : JSON.stringify(changes))],
  ['address', ({ address }) => address],
  ['request id', ({ requestId }) => requestId],
  ['sentence', ({ sentence }) => sentence],
];

/** A value as one line of JSON, with its end. */
export function jsonLine(value: object): string {
  // JSON allows these two as they are, and readers of lines take them for ends of lines.
  return `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

/** The formats of an export, by the ends of their files' names. */
export const entryFormats: Readonly<Record<'csv' | 'jsonl', EntryFormat>> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvLine(columns.map(([title]) => title)),
    line: (entry) => csvLine(columns.map(([, text]) => text(entry))),
  },
  jsonl: {
    type: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: jsonLine,
  },
};
