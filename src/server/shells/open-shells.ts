import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type AuditSubject, recordEnd } from '../audit/audit.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { outlastStoreAbsence } from '../store/absence.ts';
import { openShells } from '../store/schema/open-shells.ts';
import { isSilent, noteSignOfLife } from '../store/signs-of-life.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { endShell } from './end-shells.ts';
import { auditStatus } from './outcome.ts';

/** How often a server says of its shells that it still runs them, ms. */
const beatInterval = 5_000;

/** How a shell ended whose server died. */
export const serverStopped = 'The server that ran it stopped.';

/** Inputs of the open shells of a server. */
export interface OpenShellsParts {
  readonly store: Pick<Store, 'db'>;
  readonly vault: Vault;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The shells of this server whose end is to be told, and the end of those whose server died. */
export class OpenShells {
  readonly #parts: OpenShellsParts;
  /** By their entries in the audit: what ends one that another server took for dead. */
  readonly #own = new Map<number, () => void>();
  readonly #hurry = new AbortController();
  #isClosed = false;
  #cancelBeat: () => void;
  #beating: Promise<void> = Promise.resolve();
  /** The look for shells of servers that died, while it is under way. */
  #looking: Promise<void> | undefined;

  constructor(parts: OpenShellsParts) {
    this.#parts = parts;
    this.#cancelBeat = parts.clock.after(beatInterval, () => this.#beat());
  }

  /** Notes a shell with the commit of its entry in the audit, so that its end is told whatever becomes of this server. */
  async note(
    tx: Transaction,
    shell: { readonly entry: number; readonly companyId: number; readonly recordingId: string | null },
  ): Promise<void> {
    await tx.insert(openShells).values(shell);
  }

  /** Says that this server runs a shell that was noted. @param onLost called where another told its end meanwhile */
  follow(entry: number, onLost: () => void): void {
    this.#own.set(entry, onLost);
  }

  /** Tells how a shell ended, unless another server did. Never throws: what cannot be told now another server tells. */
  async end(entry: number, status: number, more: AuditSubject): Promise<void> {
    const { store, clock, log } = this.#parts;
    const { signal } = this.#hurry;
    this.#own.delete(entry);
    const tell = () =>
      store.db.transaction(async (tx) => {
        const { rowCount } = await tx.delete(openShells).where(eq(openShells.entry, entry));
        if (rowCount === 1) await recordEnd(tx, entry, status, more);
      });
    try {
      await (signal.aborted ? tell() : outlastStoreAbsence(tell, clock, signal));
    } catch (error) {
      log.error({ err: describeError(error), entry }, 'The end of a terminal could not be recorded');
    }
  }

  /** The server ends: it does not wait for a database that is away. */
  hurry(): void {
    this.#hurry.abort(new Error('The server ends.'));
  }

  /** Ends the signs of life: shells that still run are another server's to tell of. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat();
    await this.#beating;
    await this.#looking;
  }

  #beat(): void {
    this.#beating = this.#round().then(() => {
      if (!this.#isClosed) this.#cancelBeat = this.#parts.clock.after(beatInterval, () => this.#beat());
    });
  }

  /** Never throws: what fails is tried again with the next beat. */
  async #round(): Promise<void> {
    try {
      await this.#renew();
      await noteSignOfLife(this.#parts.store.db);
    } catch (error) {
      this.#warn(error);
      return;
    }
    // The next sign of life does not wait for it: others would take this server for dead.
    this.#looking ??= this.#endLeft().finally(() => {
      this.#looking = undefined;
    });
  }

  /** Tells the ends of the shells of servers that died. Never throws. */
  async #endLeft(): Promise<void> {
    try {
      while (!this.#isClosed && (await this.#endOneLeft()));
    } catch (error) {
      this.#warn(error);
    }
  }

  #warn(error: unknown): void {
    this.#parts.log.warn(
      { err: describeError(error) },
      'Open terminals could not be looked after; it is tried again soon',
    );
  }

  async #renew(): Promise<void> {
    const entries = [...this.#own.keys()];
    if (entries.length === 0) return;
    const { db } = this.#parts.store;
    // In the order in which the removal of a cluster locks its shells: neither waits for the other for ever.
    const own = db
      .select({ entry: openShells.entry })
      .from(openShells)
      .where(inArray(openShells.entry, entries))
      .orderBy(openShells.entry)
      .for('update');
    const rows = await db
      .update(openShells)
      .set({ beatAt: sql`now()` })
      .where(inArray(openShells.entry, own))
      .returning({ entry: openShells.entry });
    const open = new Set(rows.map(({ entry }) => entry));
    for (const entry of entries) if (!open.has(entry)) this.#own.get(entry)?.();
  }

  /** Tells the end of one shell whose server died; false where there is none. */
  async #endOneLeft(): Promise<boolean> {
    const { store, vault } = this.#parts;
    return await store.db.transaction(async (tx) => {
      const [left] = await tx
        .select()
        .from(openShells)
        .where(and(isSilent(openShells.beatAt), notInArray(openShells.entry, [...this.#own.keys()])))
        .orderBy(openShells.beatAt)
        .limit(1)
        .for('update', { skipLocked: true });
      if (left === undefined) return false;
      await endShell(tx, vault, left, { status: auditStatus.lost, ending: serverStopped });
      return true;
    });
  }
}
