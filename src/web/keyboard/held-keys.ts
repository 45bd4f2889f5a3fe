/** What keys that were pressed before their commands were there need of the page. */
export interface HeldKeysParts<Key> {
  /** Does what a key does to the text of the field that has the focus; false where it is no such key, or there is no field. */
  readonly write: (key: Key) => boolean;
  /** Does whatever else a key does. */
  readonly take: (key: Key) => void;
  /** Resolves once what a key did, also to the focus, is done. */
  readonly settled: () => Promise<void>;
}

/** Keys in the order they were pressed, which they keep. */
export interface HeldKeys<Key> {
  /** Whether keys are held: those that come now may have to wait behind them. */
  readonly isHolding: () => boolean;
  /** Begins with the key that waits for its command, or adds one behind the others. */
  readonly hold: (key: Key) => void;
  /** Forgets all of them. */
  readonly drop: () => void;
  /** Does them one by one: where one leads into a field, the next ones are its text. */
  readonly replay: () => Promise<void>;
  /**
   * Writes what is still to be written, for a key that comes into the field meanwhile: whether nothing is left that this
   * key would overtake. True while nothing is replayed.
   */
  readonly catchUp: () => boolean;
}

/** Holds keys until their commands are there, and then does them in order. */
export function createHeldKeys<Key>({ write, take, settled }: HeldKeysParts<Key>): HeldKeys<Key> {
  let held: Key[] | undefined;
  let isReplaying = false;
  return {
    isHolding: () => held !== undefined,
    hold: (key) => {
      if (held === undefined) held = [key];
      else held.push(key);
    },
    drop: () => {
      held = undefined;
    },
    replay: async () => {
      isReplaying = true;
      for (let key = held?.shift(); key !== undefined; key = held?.shift()) {
        if (!write(key)) take(key);
        await settled();
      }
      held = undefined;
      isReplaying = false;
    },
    catchUp: () => {
      if (!isReplaying || held === undefined) return true;
      for (let [key] = held; key !== undefined && write(key); [key] = held) held.shift();
      return held.length === 0;
    },
  };
}
