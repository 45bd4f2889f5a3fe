import { type Cast, type CastEvent, readCastSize } from '../../../contract/asciicast.ts';
import { cell } from '../../core/state/state.ts';
import { createShownText, type ShownText } from './shown-text.ts';

/** How fast a recording is played. */
export const speeds = [0.5, 1, 2, 4, 8, 16] as const;
export type Speed = (typeof speeds)[number];

/** How a replay does; times in ms since the beginning. */
export interface PlayerState {
  readonly position: number;
  readonly duration: number;
  readonly isPlaying: boolean;
  readonly speed: Speed;
}

/** What a player shows a recording on. */
export interface PlayerScreen {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** Empties it. */
  reset(): void;
}

export interface PlayerParts {
  readonly cast: Cast;
  readonly screen: PlayerScreen;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** Runs something later; returns how to cancel it. */
  readonly later: (run: () => void, ms: number) => () => void;
}

/** How often a playing recording goes on, ms. */
const tick = 50;

const timeOf = ([seconds]: CastEvent): number => seconds * 1_000;

/** Plays a recording on a screen. Nothing that the screen answers to what it shows goes anywhere. */
export class Player {
  readonly state;
  readonly #cast: Cast;
  readonly #parts: PlayerParts;
  #text: ShownText | undefined;
  /** Index of the first event that does not show yet. */
  #next = 0;
  #playedAt = 0;
  #cancel: (() => void) | undefined;

  constructor(parts: PlayerParts) {
    const last = parts.cast.events.at(-1);
    this.#parts = parts;
    this.#cast = parts.cast;
    this.state = cell<PlayerState>({
      position: 0,
      duration: last === undefined ? 0 : timeOf(last),
      isPlaying: false,
      speed: 1,
    });
    this.#restart();
    this.#show(0);
  }

  /** Plays, from the beginning if it was at its end, or pauses. */
  toggle(): void {
    const { isPlaying, position, duration } = this.state.get();
    if (isPlaying) {
      this.pause();
      return;
    }
    if (position >= duration) this.seek(0);
    this.#change({ isPlaying: true });
    this.#playedAt = this.#parts.now();
    this.#wait();
  }

  pause(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#change({ isPlaying: false });
  }

  /** Goes to a moment, however far away; what lies outside is its beginning or end. */
  seek(position: number): void {
    const { duration } = this.state.get();
    const to = Math.min(duration, Math.max(0, position));
    if (to < this.state.get().position) this.#restart();
    this.#show(to);
    this.#playedAt = this.#parts.now();
    this.#change({ position: to });
  }

  /** Moves the position by a time in ms, backwards if it is negative. */
  skip(by: number): void {
    this.seek(this.state.get().position + by);
  }

  setSpeed(speed: Speed): void {
    this.#change({ speed });
  }

  /** Takes the next speed; -1 for the one before. */
  stepSpeed(by: 1 | -1): void {
    const at = speeds.indexOf(this.state.get().speed);
    const next = speeds[at + by];
    if (next !== undefined) this.setSpeed(next);
  }

  /** Goes to where a text shows next, from the beginning again after the last place. False where it never does. */
  find(text: string): boolean {
    this.#text ??= createShownText(this.#cast.events);
    const at = this.#text.find(text, this.#next);
    const event = at === undefined ? undefined : this.#cast.events[at];
    if (event === undefined) return false;
    this.pause();
    this.seek(timeOf(event));
    return true;
  }

  /** Ends it; the screen is no longer used. */
  dispose(): void {
    this.#cancel?.();
  }

  #wait(): void {
    this.#cancel = this.#parts.later(() => {
      const { position, duration, speed } = this.state.get();
      const now = this.#parts.now();
      const to = Math.min(duration, position + (now - this.#playedAt) * speed);
      this.#playedAt = now;
      this.#show(to);
      this.#change({ position: to });
      if (to >= duration) this.pause();
      else this.#wait();
    }, tick);
  }

  #restart(): void {
    const { width, height } = this.#cast.header;
    this.#next = 0;
    this.#parts.screen.reset();
    this.#parts.screen.resize(width, height);
  }

  /** Shows all events up to a moment. */
  #show(until: number): void {
    const { screen } = this.#parts;
    const { events } = this.#cast;
    let text: string[] = [];
    const write = () => {
      if (text.length > 0) screen.write(text.join(''));
      text = [];
    };
    for (let event = events[this.#next]; event !== undefined; event = events[this.#next]) {
      if (timeOf(event) > until) break;
      this.#next += 1;
      const [, code, data] = event;
      const size = code === 'r' ? readCastSize(data) : undefined;
      if (code === 'o') text.push(data);
      if (size === undefined) continue;
      write();
      screen.resize(size.columns, size.rows);
    }
    write();
  }

  #change(change: Partial<PlayerState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}
