import { type auditEndpoints, auditPageSize, type AuditSettings } from '../../contract/audit.ts';
import type { Member } from '../access/person.ts';
import { entryFormats } from '../audit/entry-file.ts';
import { readKeptDays, setKeptDays } from '../audit/kept-days.ts';
import { readEntries, surveyEntries } from '../audit/log.ts';
import type { Handlers } from '../http/handlers.ts';
import { requireOwner } from './require-owner.ts';
import type { RouteParts } from './parts.ts';

/** Number of entries that an export reads and writes in one turn. */
const batch = 200;

/** The audit of a company. */
export function auditHandlers({
  store,
  clock,
  limits,
}: Pick<RouteParts, 'store' | 'clock' | 'limits'>): Handlers<typeof auditEndpoints> {
  const settings = async ({ companyId }: Member): Promise<AuditSettings> => ({
    days: await readKeptDays(store, companyId),
    ...(await surveyEntries(store, companyId)),
  });
  return {
    audit: async ({ query: { after, ...filter } }, { person }) =>
      await readEntries(store, person.companyId, { filter, after, limit: auditPageSize }),
    exportAudit: async ({ query: { format, ...filter } }, { person, audit, requestId, sendFile }) => {
      const asked = Object.entries(filter).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      );
      await audit.record('exportAudit', { format, ...Object.fromEntries(asked) });
      const { type, head, line } = entryFormats[format];
      let count = 0;
      async function* chunks(): AsyncGenerator<string> {
        yield head;
        let after: string | undefined;
        do {
          // A file of a million entries takes minutes: who is no Owner any more gets no further.
          await requireOwner(store, person, 'Only Owners of the organisation can read its audit.');
          const page = await readEntries(store, person.companyId, {
            filter,
            after,
            limit: batch,
          });
          // All but the entry of this export, which is not over.
          const entries = page.entries.filter((entry) => entry.requestId !== requestId);
          count += entries.length;
          yield entries.map(line).join('');
          after = page.next ?? undefined;
        } while (after !== undefined);
      }
      const name = `audit-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`;
      try {
        await sendFile({ name, type, chunks: chunks() });
      } finally {
        audit.subject({ entries: count });
      }
      return undefined;
    },
    auditSettings: (_request, { person }) => settings(person),
    changeAuditSettings: async ({ body: { days } }, { person, audit }) => {
      const before = await readKeptDays(store, person.companyId);
      await limits.requireRetention(store.db, person.companyId, { before, after: days });
      audit.changed({ days: before }, { days });
      await setKeptDays(store, person.companyId, days);
      return await settings(person);
    },
  };
}
