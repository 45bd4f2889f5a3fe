import { type AuditFilter, auditOutcomes } from '../../../contract/audit.ts';
import { roleNameOf } from '../../../contract/role-facts.ts';
import type { Search } from '../../workspace/search.ts';

/** The values of an address that say what is looked for. */
export const askedNames = [
  'words',
  'changes',
  'person',
  'object',
  'cluster',
  'action',
  'outcome',
  'from',
  'until',
] as const;
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
  const { words, changes, person, object, cluster, action, outcome, from, until } = search;
  const clusterId = Number(cluster);
  const filter: AuditFilter = {};
  if (words !== undefined) filter.words = words;
  if (changes === 'yes') filter.changes = changes;
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

/** A recorded value in words. @param name of the fact */
export function valueText(name: string, value: string | number | boolean | null): string {
  if (value === null || value === '') return 'none';
  const role = roleNameOf(name, value);
  if (role !== undefined) return role;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** The values of an address that say what is looked for, as a search string without its question mark. */
export function askedText(search: Search): string {
  const asked = new URLSearchParams();
  for (const name of askedNames) if (search[name] !== undefined) asked.set(name, search[name]);
  return asked.toString();
}
