import type { Client } from 'pg';
import { quoteName } from './format.ts';

/**
 * Turns off the triggers of the console's tables, in the transaction of the caller: rows of an export come as they were,
 * with what triggers made of them. Returns what turns each on again as it was.
 */
export async function disableTriggers(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; trigger: string; state: 'O' | 'A' }>(
    `select c.relname as table, t.tgname as trigger, t.tgenabled as state
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and t.tgenabled in ('O', 'A')`,
  );
  const each = async (change: (state: 'O' | 'A') => string): Promise<void> => {
    for (const { table, trigger, state } of rows)
      await client.query(`alter table ${quoteName(table)} ${change(state)} trigger ${quoteName(trigger)}`);
  };
  await each(() => 'disable');
  return () => each((state) => (state === 'A' ? 'enable always' : 'enable'));
}
