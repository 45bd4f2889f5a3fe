import type { Channel } from '../../store/store.ts';
import type { Clock } from '../../kit/clock.ts';

/** The store is away, or back, once it has been so for this long, ms: what comes and goes in between is one absence. */
const patience = 1_000;

interface AbsenceParts {
  readonly channel: Pick<Channel, 'onLoss' | 'onGap'>;
  readonly clock: Clock;
  /** Called once the store has been away for a moment, and once it is back. */
  readonly onChange: () => void;
}

/**
 * Knows since when the store does not answer. The clusters go on without it; whatever is read from the store, or needs it
 * for the rights of a call, does not.
 */
export class StoreAbsence {
  #since: string | null = null;
  /** When the absence began that may not have been told yet, epoch ms. */
  #lostAt: number | undefined;
  #cancelAway: (() => void) | undefined;
  #cancelBack: (() => void) | undefined;
  readonly #parts: AbsenceParts;
  readonly #disposers: readonly (() => void)[];

  constructor(parts: AbsenceParts) {
    this.#parts = parts;
    this.#disposers = [parts.channel.onLoss(() => this.#lose()), parts.channel.onGap(() => this.#find())];
  }

  #lose(): void {
    const { clock } = this.#parts;
    this.#cancelBack?.();
    this.#lostAt ??= clock.now();
    this.#cancelAway?.();
    this.#cancelAway = clock.after(Math.max(0, this.#lostAt + patience - clock.now()), () => this.#tell());
  }

  #find(): void {
    this.#cancelAway?.();
    this.#cancelBack?.();
    this.#cancelBack = this.#parts.clock.after(patience, () => {
      this.#lostAt = undefined;
      this.#tell();
    });
  }

  #tell(): void {
    const since = this.#lostAt === undefined ? null : new Date(this.#lostAt).toISOString();
    if (since === this.#since) return;
    this.#since = since;
    this.#parts.onChange();
  }

  /** Since when it is away, ISO; null while it answers. */
  get since(): string | null {
    return this.#since;
  }

  dispose(): void {
    this.#cancelAway?.();
    this.#cancelBack?.();
    for (const dispose of this.#disposers) dispose();
  }
}
