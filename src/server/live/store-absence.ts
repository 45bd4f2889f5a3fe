import type { Channel } from '../store/store.ts';
import type { Clock } from '../kit/clock.ts';

/** A connection that is back sooner than this was no absence, ms. */
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
  #cancel: (() => void) | undefined;
  readonly #disposers: readonly (() => void)[];

  constructor({ channel, clock, onChange }: AbsenceParts) {
    this.#disposers = [
      channel.onLoss(() => {
        const lostAt = new Date(clock.now()).toISOString();
        this.#cancel?.();
        this.#cancel = clock.after(patience, () => {
          this.#since ??= lostAt;
          onChange();
        });
      }),
      channel.onGap(() => {
        this.#cancel?.();
        if (this.#since === null) return;
        this.#since = null;
        onChange();
      }),
    ];
  }

  /** Since when it is away, ISO; null while it answers. */
  get since(): string | null {
    return this.#since;
  }

  dispose(): void {
    this.#cancel?.();
    for (const dispose of this.#disposers) dispose();
  }
}
