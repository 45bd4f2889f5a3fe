import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import type { Logger } from 'pino';
import { z } from 'zod/mini';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { parsePeerAddress } from '../kit/peer-address.ts';
import { offerKey, peerTls, protocolHeader } from './peer-tls.ts';

/** Times of a link, ms. */
export const linkTimes = {
  /** A request waits this long for a link that is being opened. */
  patience: 500,
  /** A connection is given up after this. */
  connect: 2_000,
  /** A server is asked for a sign of life this often, and lost when it gave none for `silence`. */
  ping: 500,
  silence: 2_000,
  /** Pause before a lost server is connected to again, jittered by a half. */
  again: 2_000,
} as const;

/** Maximum size of one answer, bytes. */
const maxAnswer = 16 * 1024 * 1024;

/** Why a link is not there, in the words of a metric. */
export type LinkState = 'open' | 'opening' | 'lost' | 'other version';

/** Inputs of a link. */
export interface PeerLinkParts {
  readonly address: string;
  readonly key: () => Buffer;
  readonly protocol: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when it opened, and when it was lost. */
  readonly onState?: () => void;
}

/** An answer that has begun. */
export interface PeerAnswer {
  readonly status: number;
  readonly stream: ClientHttp2Stream;
}

/** A server gave no sign of life in time. */
export class SilentPeer extends Error {
  /** When it last gave one, epoch ms. */
  readonly heardAt: number;

  constructor(heardAt: number) {
    super('Another server gave no sign of life in time.');
    this.heardAt = heardAt;
  }
}

const hello = z.object({ server: z.string(), mark: z.string() });

/** The connection to one other server, opened again by itself as long as it is not closed. */
export class PeerLink {
  readonly #parts: PeerLinkParts;
  #session: ClientHttp2Session | undefined;
  #state: LinkState = 'opening';
  #mark = '';
  /** Those who wait for it to open, or to fail to. */
  readonly #waiting = new Set<(isOpen: boolean) => void>();
  #cancelAgain: () => void = () => undefined;
  #cancelPing: () => void = () => undefined;
  #isClosed = false;
  /** Why it was last lost, so that this is logged once. */
  #complaint: string | undefined;

  constructor(parts: PeerLinkParts) {
    this.#parts = parts;
    this.#open();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** The member of a listed object that has its entry: another one for each life of the other server. */
  get mark(): string {
    return this.#mark;
  }

  /** Whether it is open, where it is being opened after a moment. */
  async opened(): Promise<boolean> {
    if (this.#state !== 'opening') return this.#state === 'open';
    return await new Promise((resolve) => {
      const done = (isOpen: boolean) => {
        cancel();
        this.#waiting.delete(done);
        resolve(isOpen);
      };
      const cancel = this.#parts.clock.after(linkTimes.patience, () => done(false));
      this.#waiting.add(done);
    });
  }

  /** Sends a request. Throws where the link is lost, or the signal's reason. */
  async request(path: string, signal?: AbortSignal): Promise<PeerAnswer> {
    const session = this.#session;
    if (session === undefined || session.destroyed) throw new Error('There is no link to the other server.');
    return await this.#send(session, path, signal);
  }

  /** The JSON of an answer, and its status. Throws as `request` does, and for an answer that is too large. */
  async json(
    path: string,
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    return await readJson(await this.request(path, signal));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelAgain();
    this.#cancelPing();
    this.#session?.destroy();
    this.#settle('lost');
  }

  #send(session: ClientHttp2Session, path: string, signal?: AbortSignal): Promise<PeerAnswer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const stream = session.request({ ':path': path, [protocolHeader]: this.#parts.protocol });
      const abort = () => stream.destroy(signal?.reason as Error);
      signal?.addEventListener('abort', abort, { once: true });
      // One that fails later is met by whoever reads it.
      stream.on('error', reject);
      stream.on('close', () => {
        signal?.removeEventListener('abort', abort);
        reject(new Error('The other server ended the request.'));
      });
      stream.on('response', (headers) => resolve({ status: headers[':status'] ?? 0, stream }));
      stream.end();
    });
  }

  #open(): void {
    if (this.#isClosed) return;
    const { address, key, clock } = this.#parts;
    const parsed = parsePeerAddress(address);
    if (parsed === undefined) {
      this.#lost(new Error(`“${address}” is no address of a server.`));
      return;
    }
    const socket = connectTls({
      ...parsed,
      ...peerTls,
      pskCallback: offerKey(key),
      // The key is what proves that it is one of ours: nobody shows a certificate.
      checkServerIdentity: () => undefined,
    });
    const session = connectHttp2('https://server', { createConnection: () => socket, maxSessionMemory: 200 });
    this.#session = session;
    let heardAt = clock.now();
    const cancelConnect = clock.after(linkTimes.connect, () =>
      session.destroy(new Error('No connection in time.')),
    );
    let reason: Error | undefined;
    session.on('error', (error: Error) => {
      reason = error;
    });
    session.on('close', () => {
      cancelConnect();
      if (this.#session === session) this.#lost(reason);
    });
    const watch = () => {
      const silence = clock.now() - heardAt;
      if (silence >= linkTimes.silence) session.destroy(new SilentPeer(heardAt));
      if (session.destroyed) return;
      session.ping((error) => {
        if (error === null) heardAt = clock.now();
      });
      this.#cancelPing = clock.after(linkTimes.ping, watch);
    };
    void this.#greet(session).then((state) => {
      cancelConnect();
      if (this.#session !== session || session.destroyed) return;
      if (state === 'open') {
        heardAt = clock.now();
        watch();
      }
      this.#settle(state);
      if (state === 'other version') session.destroy();
    });
  }

  /** Asks the other server for its protocol. Never throws. */
  async #greet(session: ClientHttp2Session): Promise<LinkState> {
    try {
      const { status, body } = await readJson(await this.#send(session, '/hello'));
      if (status === 426) return 'other version';
      this.#mark = hello.parse(body).mark;
      return 'open';
    } catch (error) {
      session.destroy(error as Error);
      return 'lost';
    }
  }

  #lost(reason: Error | undefined): void {
    const { clock } = this.#parts;
    this.#session = undefined;
    this.#cancelPing();
    if (this.#isClosed) return;
    this.#settle(this.#state === 'other version' ? 'other version' : 'lost', reason);
    this.#cancelAgain = clock.after(linkTimes.again * (0.5 + clock.random()), () => this.#open());
  }

  #settle(state: LinkState, reason?: Error): void {
    const { log, address, onState } = this.#parts;
    const complaint = state === 'open' ? undefined : `${state} ${reason?.message ?? ''}`;
    const isNews = state !== this.#state;
    this.#state = state;
    for (const done of this.#waiting) done(state === 'open');
    if (this.#isClosed || (!isNews && complaint === this.#complaint)) return;
    this.#complaint = complaint;
    if (state === 'open') log.info({ address }, 'Lists are read through another server');
    else if (state === 'other version')
      log.warn({ address }, 'Another server has another version: lists are read by this one');
    else
      log.warn(
        { address, err: reason === undefined ? undefined : describeError(reason) },
        'Another server does not answer: lists are read by this one',
      );
    onState?.();
  }
}

/** The whole of an answer. Throws where it breaks off or is too large. */
async function readJson({
  status,
  stream,
}: PeerAnswer): Promise<{ readonly status: number; readonly body: unknown }> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > maxAnswer) throw new Error('The answer of another server is too large.');
  }
  const text = Buffer.concat(parts).toString('utf8');
  return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
