import type { KeyRing } from '../kit/key-ring.ts';
import { StartError } from '../kit/start-error.ts';
import { sealedColumns } from './sealed.ts';
import type { Database } from './store.ts';
import { keyIdOf } from './vault.ts';

/** Names that a sentence has of each sort of value, at most. */
const namesShown = 5;

/** Throws StartError where stored values are sealed with keys that a ring does not have: it says which need which. */
export async function requireNeededKeys(
  db: Pick<Database, 'execute'>,
  { keys }: Pick<KeyRing, 'keys'>,
  source: string,
): Promise<void> {
  const needs = new Map<string, string[]>();
  for (const column of sealedColumns) {
    const names = new Map<string, string[]>();
    for (const { head, name } of await column.values(db)) {
      const id = keyIdOf(head);
      if (id === null || keys.has(id)) continue;
      names.set(id, [...(names.get(id) ?? []), name]);
    }
    for (const [id, all] of names) needs.set(id, [...(needs.get(id) ?? []), counted(column.title, all)]);
  }
  if (needs.size === 0) return;
  throw new StartError([
    ...[...needs].map(
      ([id, what]) => `The key "${id}" is not in ${source}, and stored values need it. ${what.join(' ')}`,
    ),
    'Start with the keys that belong to this database. If one is lost, npm run admin -- lost-keys lists what cannot be opened, and can give it up.',
  ]);
}

/** A sort of values, how many of them there are, and some of their names. */
export function counted(title: string, names: readonly string[]): string {
  const shown = [...new Set(names)].filter((name) => name !== '');
  const listed = shown.slice(0, namesShown).join(', ');
  const more = shown.length > namesShown ? ', …' : '';
  return `${title}: ${names.length}${listed === '' ? '' : ` (${listed}${more})`}.`;
}
