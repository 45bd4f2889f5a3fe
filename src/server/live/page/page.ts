import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { type ClientMessage, clientMessageSchema, type ServerMessage } from '../../../contract/live.ts';
import { liveClose } from '../../../contract/live-socket.ts';
import type { Member } from '../../access/person.ts';
import type { Open } from '../../access/open-rights.ts';
import { onBehalfOf } from '../../clusters/on-behalf.ts';
import { createLookers } from './lookers.ts';
import { Pace } from './pace.ts';
import { pageLimits } from '../wire/page-limits.ts';
import { PageWire } from '../wire/page-wire.ts';
import type { SubscribeMessage } from './plan.ts';
import type { Pulse } from '../source/pulse.ts';
import { Subscription, type SubscriptionPage, type SubscriptionServices } from './subscription.ts';

/** Close code of a message that breaks the protocol (RFC 6455: policy violation). */
const policyViolation = 1008;
const grantsText = JSON.stringify({ type: 'grants' } satisfies ServerMessage);

export interface PageOptions extends SubscriptionServices {
  readonly socket: WebSocket;
  /** The stream under the socket. */
  readonly wire: Pick<Duplex, 'cork' | 'uncork' | 'write'>;
  readonly person: Member;
  readonly onClosed: (page: Page) => void;
}

/** One page's socket and its subscriptions, until the socket closes. */
export class Page implements SubscriptionPage {
  readonly outlet: PageWire;
  readonly look: (clusterId: number, pulse: Pulse) => () => void;
  readonly #options: PageOptions;
  readonly #subscriptions = new Map<number, Subscription>();
  /** Subscriptions that send nothing while the page is behind; those that wait longest come first. */
  readonly #suspended = new Set<Subscription>();
  readonly #pace: Pace;
  /** The page itself, which ends with its session even while it has no subscription. */
  readonly #open: Open;
  #isClosed = false;
  #isAnnounced = false;
  /** When the page last sent something, a pong too (ms since 1970). */
  #heardAt: number;

  constructor(options: PageOptions) {
    const { socket, wire, clock, log } = options;
    this.#options = options;
    this.#heardAt = clock.now();
    this.#pace = new Pace(pageLimits, clock);
    this.outlet = new PageWire({
      socket,
      wire,
      clock,
      onBehind: () => this.#suspend(),
      onDrained: () => this.#resync(),
      onStuck: () => this.close(liveClose.lagging, 'This page cannot keep up with the changes.'),
    });
    this.look = createLookers((text) => this.outlet.post(text));
    this.#open = options.rights.open({
      sort: 'pages',
      person: options.person,
      clusterId: null,
      judge: () => false,
      hold: (event) => {
        if (event !== 'doubt') this.announce();
      },
      end: () => this.close(liveClose.signedOut, 'The session ended.'),
    });
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
    socket.on('pong', () => {
      this.#heardAt = clock.now();
    });
    // A broken frame closes the socket; without a listener the error would end the process.
    socket.on('error', (error) => log.debug({ err: error }, 'A live socket failed'));
    socket.on('close', () => this.#finish());
  }

  get person(): Member {
    return this.#options.person;
  }

  /** Open subscriptions. */
  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  post(text: string): void {
    this.outlet.post(text);
  }

  /** Sends a message if the page has something of this cluster open. */
  tell(clusterId: number, text: string): void {
    const isOpen = [...this.#subscriptions.values()].some(
      (one) => one.clusterId === clusterId && one.channel !== undefined,
    );
    if (isOpen) this.outlet.post(text);
  }

  /** Ends the subscriptions to a cluster that was removed. */
  endCluster(clusterId: number, title: string): void {
    for (const one of this.#subscriptions.values()) if (one.clusterId === clusterId) one.end(404, title);
  }

  /** Reads the rights of its subscriptions again, which send nothing meanwhile, and has the page read its grants. */
  recheck(): void {
    const subscriptions = [...this.#subscriptions.values()].map(({ onRights }) => onRights);
    this.#options.rights.ask('notice', [this.#open, ...subscriptions]);
  }

  announce(): void {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    queueMicrotask(() => {
      this.#isAnnounced = false;
    });
    this.outlet.post(grantsText);
  }

  /** Sends a beat, and gives up a page that no longer answers. */
  beat(text: string): void {
    if (this.#isClosed) return;
    const { socket, clock } = this.#options;
    if (clock.now() - this.#heardAt <= pageLimits.silence) {
      this.outlet.beat(text);
      return;
    }
    this.#finish();
    socket.terminate();
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    const { socket, clock } = this.#options;
    this.#finish();
    socket.close(code, reason);
    const cancel = clock.after(pageLimits.closing, () => socket.terminate());
    socket.once('close', cancel);
  }

  /** A subscription opened a channel, which waits like the others while the page is behind. */
  opened(subscription: Subscription): void {
    if (!this.outlet.isBehind) return;
    this.#suspended.add(subscription);
    subscription.channel?.suspend();
  }

  ended(subscription: Subscription): void {
    this.#suspended.delete(subscription);
    if (this.#subscriptions.get(subscription.id) === subscription)
      this.#subscriptions.delete(subscription.id);
  }

  #suspend(): void {
    for (const one of this.#subscriptions.values()) {
      this.#suspended.add(one);
      one.channel?.suspend();
    }
  }

  /**
   * Lets subscriptions go on until the page is behind again: first those whose first rows are still to come, the others
   * once these are complete.
   */
  #resync(): void {
    if (this.#suspended.size === 0) return;
    const isFilling = ({ channel }: Subscription) => channel?.isFilling === true;
    for (const one of [...this.#suspended].filter(isFilling)) this.#resume(one);
    if ([...this.#subscriptions.values()].some(isFilling)) return;
    for (const one of this.#suspended) this.#resume(one);
  }

  #resume(subscription: Subscription): void {
    if (this.outlet.isBehind) return;
    this.#suspended.delete(subscription);
    subscription.channel?.resync();
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.outlet.close();
    for (const one of this.#subscriptions.values()) one.leave();
    this.#options.rights.end(this.#open);
    this.#options.onClosed(this);
  }

  #hear(data: RawData, isBinary: boolean): void {
    this.#heardAt = this.#options.clock.now();
    if (this.#isClosed) return;
    // The default binary type gives each message as one Buffer.
    if (isBinary || !Buffer.isBuffer(data)) this.close(policyViolation, 'This page sent a binary message.');
    else onBehalfOf(this.person.id, () => this.#receive(data.toString('utf8')));
  }

  #receive(text: string): void {
    if (this.#pace.isTooFast()) {
      this.close(policyViolation, 'This page sends too many messages.');
      return;
    }
    let message: ClientMessage;
    try {
      message = clientMessageSchema.parse(JSON.parse(text));
    } catch {
      this.close(policyViolation, 'This page sent a message that the server does not understand.');
      return;
    }
    switch (message.type) {
      case 'subscribe':
        this.#subscribe(message);
        break;
      case 'unsubscribe':
        this.#subscriptions.get(message.id)?.leave();
        break;
      case 'retry':
        void this.#subscriptions.get(message.id)?.retry();
        break;
      case 'beat':
        break;
    }
  }

  #subscribe(message: SubscribeMessage): void {
    const { id } = message;
    if (this.#subscriptions.has(id)) {
      this.close(policyViolation, `Subscription ${id} is open already.`);
      return;
    }
    if (this.#subscriptions.size >= pageLimits.subscriptions) {
      const title = `A page may have ${pageLimits.subscriptions} lists open; close some first.`;
      this.outlet.post(JSON.stringify({ type: 'ended', id, status: 429, title }));
      return;
    }
    const subscription = new Subscription(message, this, this.#options);
    this.#subscriptions.set(id, subscription);
    void subscription.open();
  }
}
