import { eq, not } from 'drizzle-orm';
import { systemClock, type Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { type KeyRing, keyName, keyNames } from '../kit/key-ring.ts';
import { StartError } from '../kit/start-error.ts';
import { type ResealLog, resealAll } from './reseal.ts';
import { installation } from './schema/installation.ts';
import { servers } from './schema/servers.ts';
import { isSilent } from './signs-of-life.ts';
import type { Store, Transaction } from './store.ts';
import { createVault, keyIdOf, type Vault } from './vault.ts';
import { isCheck, openCheck, sealCheck } from './vault-check.ts';

/** A server that lives, as far as its keys go: what it did not say is null. */
export interface KeysOfServer {
  readonly keys: readonly string[] | null;
  readonly sealing: string | null;
}

/** The keys of a server as it takes part in choosing the one that all seal with. */
export interface ServerKeys {
  /** Names of the keys that it knows, the newest last. */
  readonly names: readonly string[];
  /** The name of the key that it seals with. */
  readonly sealing: string;
  /** Goes on with a rotation by what the database has at this moment: the check value, and the servers that live. */
  look(check: Buffer, living: readonly KeysOfServer[]): void;
}

/** Inputs of a server's keys. */
export interface SharedKeysParts {
  readonly store: Pick<Store, 'db'>;
  readonly ring: KeyRing;
  readonly log: ResealLog;
  /** Called once where all others have moved to a key that this server does not have. */
  readonly onUnfit?: ((error: StartError) => void) | undefined;
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Time within which values sealed with the key before are stored, ms: longer than any statement of a server may take. Only
 * then is nothing sealed with it any more.
 */
const settling = 60_000;

/**
 * The newest key that every server knows, and that each of them has behind the present one: where rings disagree about the
 * order nothing moves, or servers would seal to and fro. Undefined where it is the present one.
 * @param own names of one's own ring
 */
export function newerOfAll(
  own: readonly string[],
  present: string,
  all: readonly Pick<KeysOfServer, 'keys'>[],
): string | undefined {
  const isNewer = (keys: readonly string[] | null, name: string) => {
    const from = keys?.indexOf(present) ?? -1;
    return from >= 0 && (keys?.indexOf(name) ?? -1) > from;
  };
  return own.findLast((name) => isNewer(own, name) && all.every(({ keys }) => isNewer(keys, name)));
}

/**
 * The keys of a server among other servers. All seal with the key that sealed the check value of the store. It moves to a
 * newer one once all servers that live know that: whoever moves it holds the row of the check value, as whoever begins to
 * take part does, so that nobody is left behind. Then every server seals anew what the key before has sealed.
 */
export class SharedKeys implements ServerKeys {
  readonly vault: Vault;
  readonly names: readonly string[];
  readonly #parts: SharedKeysParts;
  /** The ring of the vault, whose current key moves. */
  readonly #ring: { current: string; readonly keys: KeyRing['keys'] };
  #work: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isUnfit = false;
  /** Whether a pass over all values is due. */
  #isStale = false;
  /** Since when all servers seal with the current key, epoch ms. */
  #agreedAt: number | undefined;
  /** Nothing is left to do until the current key changes. */
  #isSettled: boolean;
  /** Reason for which a rotation waits, as logged last. */
  #saidWaiting: string | undefined;

  constructor(parts: SharedKeysParts) {
    this.#parts = parts;
    this.#ring = { ...parts.ring };
    this.names = keyNames(parts.ring);
    this.#isSettled = parts.ring.keys.size === 1;
    this.vault = createVault(this.#ring);
  }

  get sealing(): string {
    return this.#nameOf(this.#ring.current);
  }

  /**
   * Begins: takes part as a server from now on where it has an id, moves to a newer key where that is possible, and seals
   * anew what earlier keys have sealed. Throws what `refuse` throws for the check value, before anything is stored.
   */
  async begin(
    server: string | undefined,
    refuse: (check: Buffer, tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { store, log } = this.#parts;
    await store.db.transaction(async (tx) => {
      const check = await lockCheck(tx);
      await refuse(check, tx);
      this.#ring.current = keyIdOf(check) ?? this.#ring.current;
      if (server === undefined) return;
      const keys = { keys: [...this.names], sealing: this.sealing };
      await tx
        .insert(servers)
        .values({ id: server, ...keys })
        .onConflictDoUpdate({ target: servers.id, set: keys });
    });
    await this.#move();
    await resealAll(store, this.vault, { ids: this.#ids, current: this.#ring.current, isStart: true, log });
  }

  look(check: Buffer, living: readonly KeysOfServer[]): void {
    const { log, clock = systemClock } = this.#parts;
    const id = keyIdOf(check);
    if (id === null || !this.#opens(check)) {
      this.#reportUnfit(id);
      return;
    }
    if (id !== this.#ring.current) {
      this.#ring.current = id;
      this.#agreedAt = undefined;
      this.#isSettled = false;
      this.#isStale = true;
    }
    if (living.every(({ sealing }) => sealing === this.sealing)) this.#agreedAt ??= clock.now();
    else this.#agreedAt = undefined;
    const isLast = this.#agreedAt !== undefined && clock.now() >= this.#agreedAt + settling;
    const canMove = newerOfAll(this.names, this.sealing, living) !== undefined;
    if (!canMove) this.#sayWaiting(living);
    if (this.#isWorking || !(canMove || this.#isStale || (isLast && !this.#isSettled))) return;
    this.#isWorking = true;
    this.#work = this.#goOn(isLast)
      .catch((error: unknown) =>
        log.warn({ err: describeError(error) }, 'Values could not be sealed anew; it is tried again soon'),
      )
      .finally(() => {
        this.#isWorking = false;
      });
  }

  /** Waits for what is being sealed anew. */
  async close(): Promise<void> {
    await this.#work;
  }

  async #goOn(isLast: boolean): Promise<void> {
    const { store, log } = this.#parts;
    if (await this.#move()) {
      this.#agreedAt = undefined;
      this.#isSettled = false;
      this.#isStale = true;
    }
    if (!this.#isStale && !isLast) return;
    const current = this.#ring.current;
    const left = await resealAll(store, this.vault, { ids: this.#ids, current, isStart: false, log });
    if (current !== this.#ring.current) return;
    this.#isStale = false;
    if (this.#agreedAt === undefined || !isLast) return;
    this.#isSettled = true;
    const others = this.#ids.filter((id) => id !== current);
    if (left === 0)
      log.info({ current, others }, 'Every stored value is sealed with one key; no value needs the others');
  }

  /** Moves the store to the newest key that all servers know. Says whether it did. */
  async #move(): Promise<boolean> {
    const { store, log } = this.#parts;
    const { keys } = this.#ring;
    const next = await store.db.transaction(async (tx) => {
      const check = await lockCheck(tx);
      const present = this.#nameOf(keyIdOf(check) ?? '');
      const living = await tx
        .select({ keys: servers.keys })
        .from(servers)
        .where(not(isSilent(servers.seenAt)));
      const name = newerOfAll(this.names, present, living);
      const id = this.#ids.find((one) => this.#nameOf(one) === name);
      if (id === undefined) return undefined;
      const value = sealCheck(createVault({ keys, current: id }));
      await tx.update(installation).set({ value }).where(isCheck);
      return id;
    });
    if (next === undefined) return false;
    this.#ring.current = next;
    log.info({ current: next }, 'All servers know a newer key; new values are sealed with it from now on');
    return true;
  }

  get #ids(): readonly string[] {
    return [...this.#ring.keys.keys()];
  }

  #nameOf(id: string): string {
    const key = this.#ring.keys.get(id);
    return key === undefined ? '' : keyName(id, key);
  }

  #opens(check: Buffer): boolean {
    try {
      openCheck(this.vault, check);
      return true;
    } catch {
      return false;
    }
  }

  #reportUnfit(id: string | null): void {
    if (this.#isUnfit) return;
    this.#isUnfit = true;
    const error = new StartError(
      `While this server did not respond, the others moved to the key "${id ?? ''}", which it does not have. Start it with the same keys as the others.`,
    );
    this.#parts.log.warn({ key: id }, error.message);
    this.#parts.onUnfit?.(error);
  }

  #sayWaiting(living: readonly KeysOfServer[]): void {
    const newest = this.names.at(-1);
    const without = living.filter(({ keys }) => keys === null || !keys.includes(newest ?? '')).length;
    const isWaiting = newest !== this.sealing && without > 0;
    const said = isWaiting ? `${newest} ${without}` : undefined;
    if (said !== undefined && said !== this.#saidWaiting)
      this.#parts.log.info(
        { servers: without },
        'The newest key is not used yet: some servers that live do not know it',
      );
    this.#saidWaiting = said;
  }
}

/** The check value, which nobody moves to another key until the transaction ends. */
async function lockCheck(tx: Transaction): Promise<Buffer> {
  const [row] = await tx
    .select({ value: installation.value })
    .from(installation)
    .where(isCheck)
    .for('update');
  if (row === undefined) throw new StartError('The check value of the keys was removed from the database.');
  return Buffer.from(row.value, 'base64');
}

/** Takes a server that did not come to live out of those that others wait for. */
export async function leaveServers({ db }: Pick<Store, 'db'>, server: string): Promise<void> {
  await db.delete(servers).where(eq(servers.id, server));
}
