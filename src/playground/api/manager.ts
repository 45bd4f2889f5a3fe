import type { Call } from './request.ts';

const named = (name: string, manager: string | null): string =>
  manager !== null && manager !== '' ? manager : (name.split('/')[0] ?? '') || 'unknown';

/** Who a write is recorded under: the field manager asked for, else the client's name. */
export function managerOf(call: Call): string {
  return named(call.headers['user-agent'] ?? '', call.query.get('fieldManager'));
}
