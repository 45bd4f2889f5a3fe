import type { Logger } from 'pino';
import { describeError } from '../../kit/describe-error.ts';
import { ruleOfCause } from '../../../registry/kinds/attention.ts';
import type { KindStanding } from './kind-standing.ts';

/** A trouble that recurs within this time is the same one, seconds: a restarted container counts as healthy after it. */
const recurrence = 600;
/** A trouble that lasts for this long without getting worse is chronic, seconds. */
export const chronicAfter = 86_400;

/** The trouble of a place (a workload, or an object of its own) by one cause, as its objects tell of it now. */
export interface SeenTrouble {
  /** Of the place. */
  readonly uid: string;
  /** Names the cause: the id of its rule, and after a space which of the problems that the rule reports. */
  readonly rule: string;
  /** Id of the kind of the objects in trouble. */
  readonly kind: string;
  /** Of the objects; empty for those of the cluster. */
  readonly namespace?: string;
  /** The earliest start that the objects tell, epoch seconds; undefined if they tell none. */
  readonly since: number | undefined;
  /** It began then or earlier. */
  readonly isSinceLatest: boolean;
  /** How much is wrong, such as the number of pods; greater is worse. */
  readonly extent: number;
}

/** A trouble as it is remembered. */
export interface RememberedTrouble extends Omit<SeenTrouble, 'since' | 'namespace'> {
  readonly since: number;
  /** When its extent last grew, or it took the place of another cause by its rule, epoch seconds; null if neither. */
  readonly worseAt: number | null;
}

/** Where troubles are remembered of which the cluster does not record the start, for all servers. */
export interface TroubleStore {
  read(): Promise<readonly RememberedTrouble[]>;
  /** Answers the troubles as they are remembered from now on, together with what other servers stored. */
  keep(troubles: readonly RememberedTrouble[]): Promise<readonly RememberedTrouble[]>;
  forget(troubles: readonly Pick<RememberedTrouble, 'uid' | 'rule'>[]): Promise<void>;
}

/** From `start` to `stop`. */
interface Run {
  isRead: boolean;
  /** By `lookKey`, where all objects of a kind were seen: trouble elsewhere may have begun at any time. */
  looked: ReadonlySet<string>;
  /** Nothing is written before this, epoch seconds: the database did not take the last of it. */
  writesFrom: number;
}

/** How much of a cluster a look sees. */
export interface LookScope {
  /** By `lookKey`, the kinds and namespaces whose lists are complete. */
  readonly read: readonly string[];
  readonly standingOf: (kind: string) => KindStanding;
}

interface Memory extends RememberedTrouble {
  readonly seenAt: number;
  /** The database has it. */
  readonly isStored: boolean;
}

/** Pause before a failed write to the database is tried again, seconds. */
const writePause = 30;

/** Names the objects of a kind: all of them, or where the namespace is not empty those in it. */
export const lookKey = (kind: string, namespace: string): string =>
  namespace === '' ? kind : `${kind} ${namespace}`;
const kindOfLook = (key: string): string => key.split(' ')[0] ?? key;

/** Names a trouble. */
export const troubleKey = ({ uid, rule }: Pick<SeenTrouble, 'uid' | 'rule'>): string => `${uid} ${rule}`;

/** Names a place with a rule, whichever of its causes. */
const placeOfRule = ({ uid, rule }: Pick<SeenTrouble, 'uid' | 'rule'>): string =>
  troubleKey({ uid, rule: ruleOfCause(rule) });

const isSame = (a: RememberedTrouble, b: RememberedTrouble): boolean =>
  a.since === b.since &&
  a.isSinceLatest === b.isSinceLatest &&
  a.extent === b.extent &&
  a.worseAt === b.worseAt;

/** A trouble that is seen, with what was remembered of it. @param now epoch seconds */
export function remember(
  { namespace: _namespace, ...seen }: SeenTrouble,
  known: RememberedTrouble | undefined,
  { now, isFirstLook }: { readonly now: number; readonly isFirstLook: boolean },
): RememberedTrouble {
  // A status may say any time.
  const since = Math.min(Math.max(seen.since ?? now, 0), now);
  // The start of trouble that is there at the first look at its kind is unknown.
  const isSinceLatest = seen.isSinceLatest || (seen.since === undefined && isFirstLook);
  if (known === undefined) return { ...seen, since, isSinceLatest, worseAt: null };
  const isEarlier = seen.since !== undefined && since < known.since;
  const isExact = !isSinceLatest && seen.since !== undefined && since <= known.since;
  return {
    ...seen,
    since: isEarlier ? since : known.since,
    isSinceLatest: isExact ? false : isEarlier ? isSinceLatest : known.isSinceLatest,
    extent: Math.max(known.extent, seen.extent),
    worseAt: seen.extent > known.extent ? now : known.worseAt,
  };
}

/**
 * Whether the database has to keep a trouble: the cluster tells its start no more, or never did, or there is an extent to
 * compare with. @param now epoch seconds
 */
export function isWorthKeeping(seen: SeenTrouble, memory: RememberedTrouble, now: number): boolean {
  return (
    seen.since === undefined ||
    seen.isSinceLatest ||
    seen.since > memory.since ||
    memory.worseAt !== null ||
    now - memory.since > chronicAfter
  );
}

/** Remembers since when the troubles of a cluster last, on all servers alike, while somebody looks at it. */
export class TroubleMemory {
  readonly #store: TroubleStore | undefined;
  readonly #log: Logger;
  readonly #onChange: () => void;
  readonly #known = new Map<string, Memory>();
  /** Ends with `stop`: answers of the database that come later are dropped. */
  #run: Run | undefined;

  /** @param onChange called when the database tells something new */
  constructor(parts: {
    readonly store: TroubleStore | undefined;
    readonly log: Logger;
    readonly onChange: () => void;
  }) {
    this.#store = parts.store;
    this.#log = parts.log;
    this.#onChange = parts.onChange;
  }

  /** Whether the database was asked. Where it does not answer, troubles begin when they are seen. */
  get isReady(): boolean {
    return this.#run?.isRead === true;
  }

  start(): void {
    if (this.#run !== undefined) return;
    const run: Run = { isRead: this.#store === undefined, looked: new Set(), writesFrom: 0 };
    this.#run = run;
    this.#store
      ?.read()
      .then((rows) => this.#adopt(run, rows))
      .catch((error: unknown) => this.#complain(error))
      .finally(() => {
        run.isRead = true;
        if (this.#run === run) this.#onChange();
      });
  }

  stop(): void {
    this.#run = undefined;
    this.#known.clear();
  }

  /**
   * What is remembered of the troubles that are seen now, by `troubleKey`.
   * @param now epoch seconds
   */
  look(
    troubles: Iterable<SeenTrouble>,
    now: number,
    { read, standingOf }: LookScope,
  ): ReadonlyMap<string, RememberedTrouble> {
    const run = this.#run;
    const changed: RememberedTrouble[] = [];
    const mayWrite = run === undefined || now >= run.writesFrom;
    const before = new Set([...this.#known.values()].map(placeOfRule));
    for (const seen of troubles) {
      const key = troubleKey(seen);
      const known = this.#known.get(key);
      const looks = [seen.kind, lookKey(seen.kind, seen.namespace ?? '')];
      const isFirstLook = !looks.some((look) => run?.looked.has(look));
      const isOther = known === undefined && seen.rule.includes(' ') && before.has(placeOfRule(seen));
      const found = remember(seen, known, { now, isFirstLook });
      const memory = isOther ? { ...found, worseAt: now } : found;
      const isStored = known?.isStored === true && isSame(memory, known);
      const isWritten = !isStored && mayWrite && isWorthKeeping(seen, memory, now);
      if (isWritten) changed.push(memory);
      this.#known.set(key, { ...memory, seenAt: now, isStored: isStored || isWritten });
    }
    for (const [key, one] of this.#known)
      if (one.seenAt === Number.POSITIVE_INFINITY) this.#known.set(key, { ...one, seenAt: now });
    const isCertain = (kind: string) => ['current', 'gone'].includes(standingOf(kind));
    const gone = [...this.#known.values()].filter(
      ({ seenAt, kind }) => seenAt + recurrence < now && isCertain(kind),
    );
    for (const one of gone) this.#known.delete(troubleKey(one));
    if (run !== undefined) {
      // A list that ended and began again is looked at for the first time.
      run.looked = new Set(
        read.filter((look) => run.looked.has(look) || standingOf(kindOfLook(look)) === 'current'),
      );
      this.#write(run, now, { changed, gone });
    }
    return this.#known;
  }

  #write(
    run: Run,
    now: number,
    { changed, gone }: Readonly<Record<'changed' | 'gone', readonly RememberedTrouble[]>>,
  ): void {
    const store = this.#store;
    if (store === undefined) return;
    if (changed.length > 0)
      store
        .keep(changed)
        .then((rows) => {
          if (this.#adopt(run, rows)) this.#onChange();
        })
        .catch((error: unknown) => {
          this.#complain(error);
          run.writesFrom = now + writePause;
          for (const one of changed) {
            const known = this.#known.get(troubleKey(one));
            if (known !== undefined) this.#known.set(troubleKey(one), { ...known, isStored: false });
          }
        });
    if (gone.length > 0) store.forget(gone).catch((error: unknown) => this.#complain(error));
  }

  /** Takes over what the database has. Answers whether that is news. */
  #adopt(run: Run, rows: readonly RememberedTrouble[]): boolean {
    if (this.#run !== run) return false;
    let isNews = false;
    for (const row of rows) {
      const key = troubleKey(row);
      const known = this.#known.get(key);
      isNews ||= known === undefined || !isSame(row, known);
      this.#known.set(key, {
        ...row, // Not seen yet: its time to be seen again begins with the next look.
        seenAt: known?.seenAt ?? Number.POSITIVE_INFINITY,
        isStored: true,
      });
    }
    return isNews;
  }

  #complain(error: unknown): void {
    this.#log.warn({ err: describeError(error) }, 'Troubles of a cluster could not be remembered');
  }
}
