import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** Maximum number of rows that wait for a receiver; of more, the earliest are skipped and recorded as a gap. */
export const auditStreamCap = 100_000;

const text = z.string();

/** Where the audit of an organisation is sent, and how far, as its Owners see it. Address and secret are not shown again. */
export const auditStreamSchema = z.object({
  /** Scheme, host and port of the address. */
  origin: text,
  /** Whether a secret was entered with the address. */
  hasSecret: z.boolean(),
  setAt: text,
  /** The last position of the chain that the receiver confirmed, and when; 0 and null before the first. */
  position: z.int(),
  confirmedAt: z.nullable(text),
  /** Rows of the chain that it has not confirmed. */
  waiting: z.int(),
  /** Why the last try failed, a sentence, and when; null after one that did not. */
  problem: z.nullable(text),
  failedAt: z.nullable(text),
  /** How the audit differs from what the receiver confirmed last, a sentence; null where it does not. */
  difference: z.nullable(text),
});
export type AuditStream = z.infer<typeof auditStreamSchema>;

const path = '/api/organization/audit/stream';

/** The receiver that the audit of an organisation is sent to, for its Owners. */
export const auditStreamEndpoints = {
  auditStream: endpoint({
    method: 'GET',
    path,
    summary: 'Where the audit is sent, up to which position, and the last error',
    access: 'owner',
    response: z.object({ stream: z.nullable(auditStreamSchema) }),
    failure: 'Failed to fetch the audit stream',
  }),
  saveAuditStream: endpoint({
    method: 'PUT',
    path,
    summary: 'Sets where the audit is sent; sending continues after the last confirmed position',
    audited: 'set where the audit is sent',
    access: 'owner',
    proof: 'recent',
    perMinute: 30,
    body: z.strictObject({
      url: z.string().check(z.trim(), z.minLength(1, 'Enter the address.'), z.maxLength(2_000)),
      /** Sent as the header Authorization; a `whsec_` secret signs instead. None without it. */
      secret: z.optional(
        z
          .string()
          .check(
            z.trim(),
            z.maxLength(2_000),
            z.regex(
              /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/,
              'Enter the value of the header in ASCII characters, with single spaces between words, such as “Bearer …”.',
            ),
          ),
      ),
    }),
    response: z.object({ stream: z.nullable(auditStreamSchema) }),
    failure: 'Failed to save the audit stream',
  }),
  removeAuditStream: endpoint({
    method: 'DELETE',
    path,
    summary: 'Stops sending the audit, and deletes the address and the secret',
    audited: 'stop sending the audit',
    access: 'owner',
    proof: 'recent',
    status: 204,
    failure: 'Failed to remove the audit stream',
  }),
} as const;
