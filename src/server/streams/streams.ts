import { and, asc, eq, lte, ne, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { auditStreamCap } from '../../contract/audit-stream.ts';
import type { Duty } from '../duties/duties.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { pause } from '../kit/pause.ts';
import { auditStreams } from '../store/schema/audit.ts';
import type { Store } from '../store/store.ts';
import { recordEnded } from '../audit/audit.ts';
import { type Batch, type BatchLimits, chainHead, readBatch } from '../audit/batch.ts';
import { receiverOf, reportStream } from '../audit/confirmed.ts';
import type { DeliveryResult, Sink, StreamRow } from './sinks.ts';

const second = 1_000;
const times = {
  /** Streams with something to send are looked for this often, ms. */
  round: 2 * second,
  /** Waits after one failure, two, …, ms; the last one from then on. */
  retry: [5, 15, 60, 300, 600].map((seconds) => seconds * second),
  /** The longest that a receiver may ask to be left alone, ms. */
  longest: 3_600 * second,
};
const limits = {
  /** Streams that are sent to at the same time. */
  atOnce: 32,
  /** Batches after which others have their turn. */
  batches: 20,
} as const;

/** The action of the row that records positions that were not sent to a receiver. */
const gapAction = 'audit.gap';

/** Inputs of the streams to one kind of receiver. */
export interface StreamsParts {
  readonly store: Pick<Store, 'db'>;
  readonly sink: Sink;
  readonly log: Logger;
  readonly clock: Clock;
  readonly batches?: BatchLimits;
  /** Waits after failures, ms. */
  readonly waits?: readonly number[];
  /** How often streams with something to send are looked for, ms. */
  readonly round?: number;
}

/**
 * The duty that sends chains of the audit to one kind of receiver, by position. A position is confirmed once the receiver
 * has it, so a server that is killed in between has it sent again. Only what follows the position that was confirmed last
 * is ever confirmed: where two servers send for an instant, one of them stops.
 */
export class AuditStreams implements Duty {
  readonly key: string;
  readonly #parts: StreamsParts;
  readonly #batches: BatchLimits;
  readonly #waits: readonly number[];

  constructor(parts: StreamsParts) {
    this.#parts = parts;
    this.key = `audit/${parts.sink.kind}`;
    this.#batches = parts.batches ?? { rows: 500, waiting: auditStreamCap };
    this.#waits = parts.waits ?? times.retry;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const working = new Map<string, Promise<void>>();
    try {
      while (!signal.aborted) {
        for (const stream of await this.#due()) {
          if (working.size >= limits.atOnce) break;
          if (working.has(stream.id)) continue;
          working.set(
            stream.id,
            this.#work(stream, signal).finally(() => working.delete(stream.id)),
          );
        }
        await pause(clock, this.#parts.round ?? times.round, signal).catch(() => undefined);
      }
    } finally {
      await Promise.all(working.values());
    }
  }

  /** Streams whose receiver has not confirmed the end of its chain, those that wait longest first. */
  async #due(): Promise<StreamRow[]> {
    const { store, sink } = this.#parts;
    await sink.prepare?.(store.db);
    return await store.db
      .select()
      .from(auditStreams)
      .where(
        and(
          eq(auditStreams.sink, sink.kind),
          lte(auditStreams.nextAt, sql`now()`),
          ne(auditStreams.position, chainHead(auditStreams.chain)),
        ),
      )
      .orderBy(asc(sql`coalesce(${auditStreams.confirmedAt}, ${auditStreams.setAt})`))
      .limit(2 * limits.atOnce);
  }

  /** Sends what waits of one stream, until nothing does, it fails, or others have their turn. Never throws. */
  async #work(stream: StreamRow, signal: AbortSignal): Promise<void> {
    const { store, sink, log } = this.#parts;
    try {
      let next: StreamRow | undefined = stream;
      for (let count = 0; next !== undefined && count < limits.batches && !signal.aborted; count += 1) {
        const { problem } = await reportStream(store.db, next);
        if (problem !== null) {
          await this.#fail(next, { problem });
          return;
        }
        // A receiver that refuses much at a time, or is too slow for it, is sent less.
        const rows = Math.max(1, this.#batches.rows >> next.failures);
        const batch = await readBatch(store.db, next, { ...this.#batches, rows });
        if (batch === undefined) return;
        const delivered = await sink.deliver(next, batch, signal);
        if (delivered.problem === null) next = await this.#confirm(next, batch);
        else {
          await this.#fail(next, delivered);
          return;
        }
      }
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: describeError(error), chain: stream.chain }, 'The audit could not be streamed');
    }
  }

  /** The stream as it goes on; undefined where its receiver was changed, or another server sends to it. */
  async #confirm(stream: StreamRow, { end, gap }: Batch): Promise<StreamRow | undefined> {
    const { store, log } = this.#parts;
    const { chain } = stream;
    const confirmed = await store.db.transaction(async (tx) => {
      const [changed] = await tx
        .update(auditStreams)
        .set({
          position: end.position,
          hash: end.hash,
          confirmedAt: sql`now()`,
          failures: 0,
          failedAt: null,
          problem: null,
        })
        .where(isStill(stream))
        .returning();
      if (changed !== undefined && gap !== null)
        await recordEnded(
          tx,
          {
            companyId: chain === 0 ? null : chain,
            userId: null,
            actor: 'stream',
            action: gapAction,
            clusterId: null,
            subject: { receiver: receiverOf(stream), ...gap, rows: gap.until - gap.from + 1 },
            address: 'console',
            requestId: 'stream',
          },
          200,
        );
      return changed;
    });
    if (confirmed === undefined) return undefined;
    if (gap !== null) log.warn({ chain, ...gap }, 'Positions of the audit were not sent to a receiver');
    if (stream.problem !== null) log.info({ chain }, 'A receiver of the audit is sent to again');
    return confirmed;
  }

  async #fail(stream: StreamRow, { problem, retryAfter = 0 }: DeliveryResult): Promise<void> {
    const { store, log } = this.#parts;
    const { chain, failures } = stream;
    const planned = this.#waits[Math.min(failures, this.#waits.length - 1)] ?? 0;
    const wait = Math.max(planned, Math.min(retryAfter, times.longest));
    await store.db
      .update(auditStreams)
      .set({
        failures: failures + 1,
        failedAt: sql`now()`,
        problem,
        nextAt: sql`now() + make_interval(secs => ${wait / second})`,
      })
      .where(isStill(stream));
    if (problem !== stream.problem) log.error({ chain, problem }, 'The audit is not delivered to a receiver');
  }
}

/** A stream as it was read: neither its receiver nor what was confirmed changed since. */
const isStill = ({ id, position }: StreamRow) =>
  and(eq(auditStreams.id, id), eq(auditStreams.position, position));
