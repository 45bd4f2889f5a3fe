import type { AuditStream, auditStreamEndpoints } from '../../contract/audit-stream.ts';
import { CompanyStream } from '../streams/company-stream.ts';
import type { Handlers } from '../http/handlers.ts';
import type { RouteParts } from './parts.ts';

/** The receiver of an organisation’s audit. The audit has its origin, never an address in full or a secret. */
export function auditStreamHandlers({
  config,
  store,
  vault,
}: Pick<RouteParts, 'config' | 'store' | 'vault'>): Handlers<typeof auditStreamEndpoints> {
  const company = new CompanyStream({ store, vault, policy: config.auditStreams });
  return {
    auditStream: async (_request, { person }) => ({ stream: await company.read(person) }),
    async saveAuditStream({ body }, { person, audit }) {
      const before = await company.read(person);
      await company.save(person, body);
      const stream = await company.read(person);
      audit.changed(factsOf(before), { ...factsOf(stream), address: 'new' });
      return { stream };
    },
    async removeAuditStream(_request, { person, audit }) {
      const before = await company.read(person);
      await company.remove(person);
      audit.changed(factsOf(before), factsOf(null));
      return undefined;
    },
  };
}

/** The facts of a stream for the audit: neither address nor secret. */
const factsOf = (stream: AuditStream | null) => ({
  origin: stream?.origin ?? null,
  secret: stream?.hasSecret === true ? 'set' : 'none',
});
