import { type AuditFilter, auditOutcomes } from '../../../contract/audit.ts';
import type { Search } from '../../workspace/search.ts';

/** The values of an address that say what is looked for. */
export const askedNames = ['person', 'object', 'cluster', 'action', 'outcome', 'from', 'until'] as const;
export type AskedName = (typeof askedNames)[number];

const day = /^\d{4}-\d{2}-\d{2}$/;

/** Midnight of the browser's own time zone, `later` days after a day; undefined for what is no day. */
function midnight(text: string | undefined, later: number): string | undefined {
  if (text === undefined || !day.test(text)) return undefined;
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  const time = new Date(year, month - 1, date + later);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** What an address asks for. Days are whole and of the browser's own time zone; what makes no sense is left out. */
export function filterOf(search: Search): AuditFilter {
  const { person, object, cluster, action, outcome, from, until } = search;
  const clusterId = Number(cluster);
  const filter: AuditFilter = {};
  if (person !== undefined) filter.person = person;
  if (object !== undefined) filter.object = object;
  if (Number.isInteger(clusterId) && clusterId > 0) filter.clusterId = clusterId;
  if (action !== undefined) filter.action = action;
  const known = auditOutcomes.find((one) => one === outcome);
  if (known !== undefined) filter.outcome = known;
  const [first, last] = [midnight(from, 0), midnight(until, 1)];
  if (first !== undefined) filter.from = first;
  if (last !== undefined) filter.until = last;
  return filter;
}

/** Where the same entries are as a file. */
export function fileHref(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
  return `/api/organization/audit/export?${query.toString()}`;
}

/** An action as a phrase: `deleteCluster` is "Delete cluster", `deployment.restart` "Deployment restart". */
export function actionPhrase(action: string): string {
  const words = action
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('.', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A recorded value in words. */
export function valueText(value: string | number | boolean | null): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

const ids = /^(recording|clusterId|teamId|userId|actionId|jobId|kind)$/;

/** What an entry is about in one line: its names, without the ids that the detail has. */
export function subjectLine(subject: Readonly<Record<string, string | number | boolean | null>>): string {
  const named = Object.entries(subject).filter(
    ([name, value]) => typeof value === 'string' && value !== '' && !ids.test(name),
  );
  return named.map(([, value]) => value).join(' · ');
}
