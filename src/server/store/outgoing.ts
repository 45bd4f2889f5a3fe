import type { ChannelMessages } from './store.ts';

/** Messages of one topic are sent at most this often, ms: each sending is a commit that others wait for. */
export const sendingPause = 100;

/** Messages of a topic that wait for their turn. */
interface WaitingMessages {
  readonly payloads: Set<string>;
  readonly sent: Promise<void>;
}

/**
 * Gathers messages that tell of nothing but that something is worth reading again. The first of a topic goes at once;
 * those that follow go together, each once, when the pause is over.
 */
export class Outgoing {
  readonly #send: (payloads: readonly string[]) => Promise<unknown>;
  readonly #sentAt = new Map<keyof ChannelMessages, number>();
  readonly #waiting = new Map<keyof ChannelMessages, WaitingMessages>();
  readonly #flushes = new Set<() => void>();

  /** @param send sends texts in one transaction */
  constructor(send: (payloads: readonly string[]) => Promise<unknown>) {
    this.#send = send;
  }

  /** Resolves once the message is sent; rejects when it could not be. */
  async add(topic: keyof ChannelMessages, payload: string): Promise<void> {
    const waiting = this.#waiting.get(topic);
    if (waiting !== undefined) {
      waiting.payloads.add(payload);
      return await waiting.sent;
    }
    const payloads = new Set([payload]);
    const sent = this.#turn(topic).then(async () => {
      this.#waiting.delete(topic);
      this.#sentAt.set(topic, performance.now());
      await this.#send([...payloads]);
    });
    this.#waiting.set(topic, { payloads, sent });
    await sent;
  }

  /** Sends what waits at once. */
  async flush(): Promise<void> {
    for (const go of this.#flushes) go();
    await Promise.allSettled([...this.#waiting.values()].map(({ sent }) => sent));
  }

  #turn(topic: keyof ChannelMessages): Promise<void> {
    const pause = (this.#sentAt.get(topic) ?? -Infinity) + sendingPause - performance.now();
    if (pause <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#flushes.delete(go);
        resolve();
      };
      const timer = setTimeout(go, pause);
      this.#flushes.add(go);
    });
  }
}
