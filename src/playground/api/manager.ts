import type { Call } from './request.ts';

const managerName = (name: string, manager: string | null): string =>
  manager !== null && manager !== '' ? manager : (name.split('/')[0] ?? '') || 'unknown';

/** The field manager of a write: the one in the query, else the client's name from its user agent. */
export function managerOf(call: Call): string {
  return managerName(call.headers['user-agent'] ?? '', call.query.get('fieldManager'));
}
