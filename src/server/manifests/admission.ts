import { Problem } from '../../contract/problem.ts';

/** Bounds of the texts that wait to be read. */
export const admissionLimits = {
  /** Texts of one person that wait or are being read. */
  perPerson: 4,
  /** Characters of all waiting texts together. */
  characters: 64 * 1024 * 1024,
  /** A waiting draft is read after at most this many texts of calls. */
  callsBeforeDraft: 4,
} as const;

/** Somebody who wants a text read. */
export interface Asker {
  /** Id of the person. */
  readonly who: number;
  /** Drafts let the texts go first that somebody waits for. */
  readonly isDraft: boolean;
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/** Lets one text at a time be read, in fair turns. */
export interface Admission {
  /**
   * Runs the task when its turn comes: everybody gets a turn before anybody gets a second one.
   * Throws Problem 429 when the person has too many texts here, 503 when there are too many of all, 499 when the caller
   * left while it waited.
   * @param size characters of the text
   */
  run<T>(asker: Asker, size: number, task: () => Promise<T>): Promise<T>;
}

/** The answer for a caller that has left. */
export function callerLeft(): Problem {
  return new Problem({ status: 499, title: 'The caller disconnected before the text was read.' });
}

interface Waiting {
  readonly asker: Asker;
  readonly begin: () => void;
}

/** Waiting texts, by person. The person at the front of the map has the next turn. */
type Lane = Map<number, Waiting[]>;

export function createAdmission(limits: typeof admissionLimits = admissionLimits): Admission {
  const calls: Lane = new Map();
  const drafts: Lane = new Map();
  const texts = new Map<number, number>();
  let characters = 0;
  let isBusy = false;
  let callsInRow = 0;

  const laneOf = ({ isDraft }: Asker) => (isDraft ? drafts : calls);

  function count({ who }: Asker, size: number, change: 1 | -1): void {
    const left = (texts.get(who) ?? 0) + change;
    if (left === 0) texts.delete(who);
    else texts.set(who, left);
    characters += change * size;
  }

  function next(): void {
    const isDraftDue = calls.size === 0 || callsInRow >= limits.callsBeforeDraft;
    const lane = isDraftDue && drafts.size > 0 ? drafts : calls;
    callsInRow = lane === calls && drafts.size > 0 ? callsInRow + 1 : 0;
    const [front] = lane;
    if (front === undefined) return;
    const [who, own] = front;
    const first = own.shift();
    // To the back of the map, for the turn after the others'.
    lane.delete(who);
    if (own.length > 0) lane.set(who, own);
    first?.begin();
  }

  function leave(asker: Asker, waiting: Waiting): void {
    const lane = laneOf(asker);
    const left = (lane.get(asker.who) ?? []).filter((one) => one !== waiting);
    if (left.length === 0) lane.delete(asker.who);
    else lane.set(asker.who, left);
  }

  /** Waits for a turn, which `next` gives. */
  function turn(asker: Asker): Promise<void> {
    const { who, signal } = asker;
    return new Promise((resolve, reject) => {
      const abandon = () => {
        leave(asker, waiting);
        reject(callerLeft());
      };
      const waiting: Waiting = {
        asker,
        begin() {
          signal.removeEventListener('abort', abandon);
          isBusy = true;
          resolve();
        },
      };
      signal.addEventListener('abort', abandon, { once: true });
      const lane = laneOf(asker);
      const own = lane.get(who);
      if (own === undefined) lane.set(who, [waiting]);
      else own.push(waiting);
      if (!isBusy) next();
    });
  }

  return {
    async run(asker, size, task) {
      if (asker.signal.aborted) throw callerLeft();
      if ((texts.get(asker.who) ?? 0) >= limits.perPerson) {
        throw new Problem({
          status: 429,
          title: 'Your other requests are still being processed. Try again in a moment.',
          retryable: true,
        });
      }
      if (characters + size > limits.characters) {
        throw new Problem({
          status: 503,
          title: 'Too many requests are being processed. Try again in a moment.',
        });
      }
      count(asker, size, 1);
      try {
        await turn(asker);
        try {
          return await task();
        } finally {
          isBusy = false;
          next();
        }
      } finally {
        count(asker, size, -1);
      }
    },
  };
}
