import type { Tone } from '../../../registry/tone.ts';
import { withRoom } from './sequence.ts';
import { Changes, type LiveRows, type RowStore } from './store.ts';
import { toneOf } from './tones.ts';

/** How many rows have each tone. */
export type ToneCounts = Readonly<Record<Tone, number>>;

/** A slot's tone by its place here; the first is that of a row without one. */
const tones = [undefined, 'ok', 'info', 'idle', 'warn', 'bad'] as const;

/** Counts the rows of a store by the tone of their status; what changed since the last count is counted alone. */
export class ToneCounter {
  readonly #statusAt: number;
  readonly #changes = new Changes();
  #known = new Uint8Array(0);
  #counts = new Uint32Array(tones.length);

  /** @param statusAt where in a row its status is; -1 where there is none */
  constructor(statusAt: number) {
    this.#statusAt = statusAt;
  }

  /** The tones of these rows; of those of another store anew. */
  count({ store }: LiveRows): ToneCounts {
    const changed = this.#changes.of(store);
    const { room } = store;
    if (changed === undefined) {
      this.#known = new Uint8Array(room);
      this.#counts = new Uint32Array(tones.length);
      for (let slot = 0; slot < room; slot += 1) this.#note(store, slot);
    } else {
      this.#known = withRoom(this.#known, room);
      for (const slot of changed) this.#note(store, slot);
    }
    const [, ok = 0, info = 0, idle = 0, warn = 0, bad = 0] = this.#counts;
    return { ok, info, idle, warn, bad };
  }

  #note(store: RowStore, slot: number): void {
    const counts = this.#counts;
    const known = this.#known[slot] ?? 0;
    const tone = toneOf(store.at(slot)?.[1][this.#statusAt]);
    const now = tone === undefined ? 0 : tones.indexOf(tone);
    if (now === known) return;
    // Rows without a tone and empty slots are not counted: place 0 stands for no tone.
    counts[known] = (counts[known] ?? 0) - 1;
    counts[now] = (counts[now] ?? 0) + 1;
    this.#known[slot] = now;
  }
}
