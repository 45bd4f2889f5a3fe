import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { AuditStream } from '../../contract/audit-stream.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { requireStillOwner } from '../organisation/still-owner.ts';
import { auditStreams } from '../store/schema/audit.ts';
import { streamSecretContext, streamUrlContext } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { parseWebhookUrl, type WebhookPolicy } from '../webhooks/address.ts';
import { isSecret } from '../webhooks/signature.ts';
import { reportStream } from '../audit/confirmed.ts';

export interface CompanyStreamParts {
  readonly store: Pick<Store, 'db'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly policy: WebhookPolicy;
}

const ofCompany = (companyId: number) =>
  and(eq(auditStreams.sink, 'https'), eq(auditStreams.chain, companyId));

/** The receiver of an organisation's audit, set by its Owners. The guard has checked the caller. */
export class CompanyStream {
  readonly #parts: CompanyStreamParts;

  constructor(parts: CompanyStreamParts) {
    this.#parts = parts;
  }

  /** All that Owners see of it; null where nothing is sent. */
  async read({ companyId }: Pick<Member, 'companyId'>): Promise<AuditStream | null> {
    const { db } = this.#parts.store;
    const [row] = await db.select().from(auditStreams).where(ofCompany(companyId));
    if (row === undefined) return null;
    const { origin, secret, setAt, position, confirmedAt, problem, failedAt } = row;
    const { waiting, problem: difference } = await reportStream(db, row);
    return {
      origin: origin ?? '',
      hasSecret: secret !== null,
      setAt,
      position,
      confirmedAt,
      waiting,
      problem: difference === null ? problem : null,
      failedAt,
      difference,
    };
  }

  /** Sets address and secret together. Throws Problem 400 with the field that is wrong. */
  async save(
    person: Member,
    entered: { readonly url: string; readonly secret?: string | undefined },
  ): Promise<void> {
    const { store, vault } = this.#parts;
    const { companyId } = person;
    const url = this.#addressOf(entered.url);
    if (entered.secret?.startsWith('whsec_') === true && !isSecret(entered.secret))
      throw fieldProblem(
        'secret',
        'This secret cannot sign: enter whsec_ followed by 24 to 64 bytes in base64.',
      );
    const id = randomUUID();
    const receiver = {
      id,
      url: vault.seal(url.href, streamUrlContext(id)),
      origin: url.origin,
      secret: entered.secret === undefined ? null : vault.seal(entered.secret, streamSecretContext(id)),
      failures: 0,
      failedAt: null,
      problem: null,
    };
    await store.db.transaction(async (tx) => {
      await requireStillOwner(tx, person);
      await tx
        .insert(auditStreams)
        .values({ ...receiver, sink: 'https', chain: companyId, companyId })
        .onConflictDoUpdate({
          target: [auditStreams.sink, auditStreams.chain],
          set: { ...receiver, setAt: sql`now()`, nextAt: sql`now()` },
        });
    });
  }

  /** Sends nothing more. Throws Problem 404 where nothing was sent. */
  async remove(person: Member): Promise<void> {
    await this.#parts.store.db.transaction(async (tx) => {
      await requireStillOwner(tx, person);
      const removed = await tx
        .delete(auditStreams)
        .where(ofCompany(person.companyId))
        .returning({ chain: auditStreams.chain });
      if (removed.length === 0)
        throw new Problem({ status: 404, title: 'Your organisation has no stream of its audit.' });
    });
  }

  #addressOf(text: string): URL {
    try {
      return parseWebhookUrl(text, this.#parts.policy);
    } catch (error) {
      if (error instanceof Problem) throw fieldProblem('url', error.title);
      throw error;
    }
  }
}

const fieldProblem = (path: string, title: string) =>
  new Problem({ status: 400, title, issues: [{ path, message: title }] });
