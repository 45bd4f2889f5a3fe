import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { linkWaiting } from '../../../src/server/audit/closing.ts';
import { CompanyStream } from '../../../src/server/streams/company-stream.ts';
import { createHttpsSink, type Sink } from '../../../src/server/streams/sinks.ts';
import { AuditStreams, type StreamsParts } from '../../../src/server/streams/streams.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { auditStreams } from '../../../src/server/store/schema/audit.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { type AuditLab, silent, startAuditLab } from './lab.ts';

/** A line as a receiver has it. */
export interface Line extends Readonly<Record<string, unknown>> {
  readonly type: 'row' | 'gap';
  readonly chain: number;
  readonly position: number;
  readonly hash: string;
}

/** The whole lines of a text. */
export const linesIn = (text: string): Line[] =>
  text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });

/** A company whose audit can be sent to a receiver of the test, by servers that begin and end. */
export class StreamLab {
  readonly audit: AuditLab;
  readonly receiver: Receiver;
  readonly key = randomBytes(32);
  readonly vault = createVault({ current: 'k1', keys: new Map([['k1', this.key]]) });
  readonly company: CompanyStream;
  readonly owner: Member;
  readonly #stops: (() => Promise<void>)[] = [];

  private constructor(audit: AuditLab, receiver: Receiver, owner: Member) {
    this.audit = audit;
    this.receiver = receiver;
    this.owner = owner;
    this.company = new CompanyStream({ store: audit.store, vault: this.vault, policy: this.policy });
  }

  static async start(tls?: { readonly key: string; readonly cert: string }): Promise<StreamLab> {
    const audit = await startAuditLab();
    const { companyId, store } = audit;
    const [user] = await store.db.insert(users).values({ name: 'Ada', email: 'ada@example.org' }).returning();
    const id = user?.id ?? 0;
    await store.db.insert(memberships).values({ companyId, userId: id, orgRole: orgRoles.Owner });
    return new StreamLab(audit, await startReceiver(tls), { id, companyId } as Member);
  }

  get policy() {
    return {
      allowPorts: [this.receiver.port],
      allowCidrs: ['127.0.0.1/32'],
      sent: 'audit',
    } as const;
  }

  /** The sink of Owners' receivers. @param limit how long a receiver has, ms */
  https(limit?: number): Sink {
    return createHttpsSink({
      vault: this.vault,
      policy: this.policy,
      clock: systemClock,
      ...(limit === undefined ? {} : { limit }),
    });
  }

  /** Begins to send as a server does; the answer ends it. */
  serve(sink: Sink, more: Partial<StreamsParts> = {}): () => Promise<void> {
    const abort = new AbortController();
    const { store } = this.audit;
    const parts = { store, sink, log: silent, clock: systemClock, waits: [50], round: 50, ...more };
    const ended = new AuditStreams(parts).run(abort.signal);
    const stop = async () => {
      abort.abort(new Error('The server ends.'));
      await ended;
    };
    this.#stops.push(stop);
    return stop;
  }

  /** Puts all rows into their chains. */
  async link(): Promise<void> {
    while ((await linkWaiting(this.audit.store, { batch: 100, segment: 4 })) > 0);
  }

  /** The stream of the company, as it is stored. */
  async row(): Promise<typeof auditStreams.$inferSelect | undefined> {
    const [row] = await this.audit.store.db
      .select()
      .from(auditStreams)
      .where(eq(auditStreams.chain, this.owner.companyId));
    return row;
  }

  /** All lines that the receiver was sent, in order. */
  lines(): Line[] {
    return this.receiver.received.flatMap(({ body }) => linesIn(body));
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) await stop();
    await this.receiver.close();
    await this.audit.close();
  }
}
