import { AsyncLocalStorage } from 'node:async_hooks';
import type { ShareOwner, Shares } from './shares.ts';

/** A turn is given up after this long, ms: what takes longer waits for something that nobody thought of. */
const turnLimit = 300;

const currentTurn = new AsyncLocalStorage<Turn | undefined>();
/** The turn that an outer `besideTurn` takes up again. */
const turnLeft = new AsyncLocalStorage<Turn>();

/** Runs something as what a turn was taken for. */
export function inTurn<T>(turn: Turn, run: () => T): T {
  return currentTurn.run(turn, run);
}

/** Runs something that goes on for others as well: it takes no part in the turn of whoever began it. */
export function outsideTurns<T>(run: () => T): T {
  return currentTurn.run(undefined, run);
}

/** The turn that this runs in; undefined outside. */
export function turnTaken(): Turn | undefined {
  return currentTurn.getStore();
}

/**
 * Waits for something that costs this process nothing; meanwhile others have the turn that this runs in. Within another
 * such wait the turn is taken up again by the outer one alone.
 */
export async function besideTurn<T>(task: () => Promise<T>): Promise<T> {
  const turn = currentTurn.getStore();
  if (turn === undefined) return await task();
  turn.leave();
  if (turnLeft.getStore() === turn) return await task();
  try {
    return await turnLeft.run(turn, task);
  } finally {
    await turn.resume();
  }
}

/** Long work goes on for this long before others have their turn, ms. */
const stepTime = 2;

/**
 * Does long work, which may pause at each step: others have their turn meanwhile. Throws the signal's reason once that
 * is aborted.
 */
export async function inSteps<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let began = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - began < stepTime) continue;
    // The process also reads what came in meanwhile.
    await besideTurn(() => new Promise<void>((resolve) => setImmediate(resolve)));
    // Within an outer wait, which has yet to take the turn up again, these steps need it as well.
    await currentTurn.getStore()?.resume();
    signal?.throwIfAborted();
    began = performance.now();
  }
}

/**
 * Makes the parts of a stream each in a turn of its own, like the one that the stream was begun in: between two parts,
 * and while a part is sent, others have theirs.
 */
export async function* eachInTurn<T>(begun: Turn, parts: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      const turn = begun.another();
      await turn.begin();
      let part: IteratorResult<T>;
      try {
        part = await inTurn(turn, () => iterator.next());
      } finally {
        turn.end();
      }
      if (part.done === true) return;
      yield part.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** The right to work in this process, which is shared. */
export class Turn {
  readonly #turns: Turns;
  /** For whom the work is done. */
  readonly owner: ShareOwner;
  #state: 'waiting' | 'working' | 'away' | 'over' = 'waiting';
  #resuming: Promise<void> | undefined;
  #takeBack: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor(turns: Turns, owner: ShareOwner) {
    this.#turns = turns;
    this.owner = owner;
  }

  /** Resolves when it has come. */
  begin(): Promise<void> {
    return this.#wait(false);
  }

  /** A further turn for the same owner, which has yet to begin. */
  another(): Turn {
    return this.#turns.take(this.owner);
  }

  /** Gives it up until `resume`: the work waits for something else. */
  leave(): void {
    if (this.#state !== 'working') return;
    this.#state = 'away';
    clearTimeout(this.#timer);
    this.#turns.ended(this.owner);
  }

  /** Resolves when it has come again; at once where it was not left, or is over. */
  async resume(): Promise<void> {
    if (this.#state === 'away') {
      this.#state = 'waiting';
      this.#resuming = this.#wait(true);
    }
    if (this.#state === 'waiting') await this.#resuming;
  }

  /** Ends it if it has not come yet. */
  forget(): void {
    if (this.#state === 'waiting') this.end();
  }

  /** Ends it for good, whether it has come or not. */
  end(): void {
    const before = this.#state;
    this.#state = 'over';
    clearTimeout(this.#timer);
    this.#takeBack();
    if (before === 'working') this.#turns.ended(this.owner);
  }

  #wait(isResumed: boolean): Promise<void> {
    return new Promise((resolve) => {
      const come = () => {
        this.#takeBack = () => {};
        this.#state = 'working';
        this.#timer = setTimeout(() => this.leave(), turnLimit).unref();
        resolve();
      };
      const leaveQueue = this.#turns.asked(this.owner, come, isResumed);
      // Work that is over goes on to its end without a turn.
      this.#takeBack = () => {
        leaveQueue();
        resolve();
      };
    });
  }
}

/** Gives turns by shares. One that becomes free is given after the process has read what came in meanwhile. */
export class Turns {
  readonly #shares: Shares;
  #isGiving = false;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /** A turn that has yet to begin. */
  take(owner: ShareOwner): Turn {
    return new Turn(this, owner);
  }

  /** For turns: gives one as soon as the shares allow it. @returns what takes the wish back */
  asked(owner: ShareOwner, come: () => void, isResumed: boolean): () => void {
    const takeBack = this.#shares.add(owner, come, isResumed);
    // In the order in which they came, unless some wait for the process already.
    if (!this.#isGiving) while (this.#shares.next());
    return takeBack;
  }

  /** For turns: one was given up. */
  ended(owner: ShareOwner): void {
    this.#shares.end(owner);
    if (this.#isGiving || this.#shares.size.waiting === 0) return;
    this.#isGiving = true;
    setImmediate(() => {
      this.#isGiving = false;
      while (this.#shares.next());
    });
  }
}
