import type { Client, Dispatcher } from 'undici';
import type { Answer } from './answer.ts';
import { errorCode } from './failures.ts';

/** Codes of errors with which a request fails that was not sent, because its connection had just ended. */
const unsentCodes: ReadonlySet<string> = new Set(['ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_GOAWAY_SESSION']);
/** Servers allow 100 streams on a connection or more; the rest is for those that are ending. */
const streamsPerConnection = 90;

interface Lane {
  readonly client: Client;
  /** Requests whose answers are not released yet. */
  open: number;
}

/** HTTP/2 connections to one cluster: a new one is opened when the streams of the others are taken. */
export class Http2Lanes {
  readonly #openClient: () => Client;
  readonly #lanes: Lane[] = [];
  #pings = 0;

  /** @param openClient makes the client of one more connection */
  constructor(openClient: () => Client) {
    this.#openClient = openClient;
  }

  get clients(): readonly Client[] {
    return this.#lanes.map(({ client }) => client);
  }

  /** Sends a request over the first connection with a free stream. Throws errors of the network. */
  stream(options: Dispatcher.RequestOptions): Promise<Answer> {
    return this.#send(
      this.#lanes.find(({ open }) => open < streamsPerConnection),
      options,
    );
  }

  /** Sends a request over each connection in turn. Throws errors of the network. */
  ping(options: Dispatcher.RequestOptions): Promise<Answer> {
    this.#pings += 1;
    return this.#send(this.#lanes[this.#pings % this.#lanes.length], options);
  }

  async #send(chosen: Lane | undefined, options: Dispatcher.RequestOptions): Promise<Answer> {
    const lane = chosen ?? this.#add();
    lane.open += 1;
    let isReleased = false;
    const release = () => {
      if (!isReleased) lane.open -= 1;
      isReleased = true;
    };
    try {
      const response = await lane.client.request(options).catch((error: unknown) => {
        // It was never sent, so it may be sent again: the client opens a new connection for it.
        if (!unsentCodes.has(errorCode(error) ?? '')) throw error;
        return lane.client.request(options);
      });
      return { response, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  #add(): Lane {
    const lane = { client: this.#openClient(), open: 0 };
    this.#lanes.push(lane);
    return lane;
  }
}
