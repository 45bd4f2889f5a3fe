import { sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import type { Resolver } from '../clusters/address.ts';
import type { Clock } from '../kit/clock.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { auditStreams } from '../store/schema/audit.ts';
import { streamSecretContext, streamUrlContext } from '../store/sealed.ts';
import type { Database } from '../store/store.ts';
import { SealError, type Vault } from '../store/vault.ts';
import { parseWebhookUrl, type WebhookPolicy } from '../webhooks/address.ts';
import { postWebhook } from '../webhooks/post.ts';
import { isSecret, signedHeaders } from '../webhooks/signature.ts';
import { installationChain } from '../audit/chain.ts';
import type { Batch } from '../audit/batch.ts';
import { appendLines } from './file-sink.ts';

export type StreamRow = typeof auditStreams.$inferSelect;

/** Result of a delivery. */
export interface DeliveryResult {
  /** Why it failed, a sentence without secrets; null where the receiver has it. */
  readonly problem: string | null;
  /** How long the receiver asked to be left alone, ms. */
  readonly retryAfter?: number | undefined;
}

/** A kind of receiver. */
export interface Sink {
  readonly kind: StreamRow['sink'];
  /** Adds the streams of chains that are new. */
  prepare?(db: Pick<Database, 'execute'>): Promise<void>;
  /** Throws only where the signal was aborted. */
  deliver(stream: StreamRow, batch: Batch, signal: AbortSignal): Promise<DeliveryResult>;
}

/** The file that the operator has set: all chains, also that of the installation. @param path absolute */
export function createFileSink(path: string): Sink {
  // Node writes a long text in parts, between which lines of another chain would end up.
  const writing = createLimiter(1);
  return {
    kind: 'file',
    async prepare(db) {
      await db.execute(sql`insert into audit_streams (id, sink, chain)
        select gen_random_uuid(), 'file', c.chain
        from (select ${installationChain}::int as chain union select id from companies) c
        where not exists (select 1 from audit_streams s where s.sink = 'file' and s.chain = c.chain)
        on conflict do nothing`);
    },
    async deliver(_stream, { text }) {
      try {
        await writing.run(() => appendLines(path, text));
        return { problem: null };
      } catch (error) {
        return { problem: `The file ${path} cannot be written: ${(error as Error).message}` };
      }
    },
  };
}

/** The receivers that Owners have set, each for the chain of their organisation. */
export function createHttpsSink(parts: {
  readonly vault: Pick<Vault, 'open'>;
  readonly policy: WebhookPolicy;
  readonly clock: Clock;
  readonly resolve?: Resolver;
  /** A receiver has this long to answer, ms. */
  readonly limit?: number;
}): Sink {
  const { vault, policy, clock, resolve, limit } = parts;
  const more = { ...(resolve === undefined ? {} : { resolve }), ...(limit === undefined ? {} : { limit }) };
  return {
    kind: 'https',
    async deliver({ id, url, secret }, { text, end }, signal) {
      const now = clock.now();
      try {
        const address = parseWebhookUrl(vault.open(url ?? Buffer.alloc(0), streamUrlContext(id)), policy);
        const credential =
          secret === null
            ? {}
            : credentialOf(vault.open(secret, streamSecretContext(id)), id, text, end, now);
        const headers = {
          'content-type': 'application/x-ndjson',
          'user-agent': 'Wheelhouse-Audit',
          ...credential,
        };
        return await postWebhook({ url: address, body: text, headers }, { policy, signal, now, ...more });
      } catch (error) {
        if (error instanceof Problem) return { problem: error.title };
        if (error instanceof SealError)
          return {
            problem: 'The address or secret could not be decrypted: the key is missing. Enter both again.',
          };
        throw error;
      }
    },
  };
}

/** Headers that authenticate the console: a signature for a secret of webhooks, else what was entered. */
function credentialOf(
  secret: string,
  id: string,
  body: string,
  { position }: Batch['end'],
  now: number,
): Readonly<Record<string, string>> {
  return isSecret(secret)
    ? signedHeaders({ id: `${id}.${position}`, body }, now, [secret])
    : { authorization: secret };
}
