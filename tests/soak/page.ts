import type { CellValue, ServerMessage } from '../../src/contract/live.ts';
import { beatInterval, liveClose, livePath } from '../../src/contract/live-socket.ts';
import { ReconnectingSocket } from '../../src/web/data/socket/reconnecting-socket.ts';
import { connectBy } from './node-socket.ts';
import type { OriginClient } from './origin-client.ts';

/** Inputs of a page. */
interface SoakPageParts {
  readonly url: string;
  readonly client: OriginClient;
  readonly clusterId: number;
  /** Told of the status in each row that comes in a change. */
  readonly onStatus?: (status: string) => void;
}

/** A page that follows all pods of the cluster, over the socket of real pages: it comes back by itself. */
export class SoakPage {
  /** What is on screen: the rows of the last complete snapshot and what changed since. */
  rows = new Map<string, readonly CellValue[]>();
  /** What broke the protocol: sequence numbers with a gap, an end that nobody asked for. */
  readonly faults: string[] = [];
  /** Since when its server has no database, as it was told; null while it has. */
  storeAwaySince: string | null = null;
  /** How often its socket was lost. */
  losses = 0;
  readonly #parts: SoakPageParts;
  readonly #socket: ReconnectingSocket;
  #incoming: Map<string, readonly CellValue[]> | undefined;
  #subscription = 0;
  #seq = 0;
  #isComplete = false;
  #statusColumn = -1;

  constructor(parts: SoakPageParts) {
    this.#parts = parts;
    const { client, url } = parts;
    this.#socket = new ReconnectingSocket({
      connect: connectBy(
        () => url + livePath,
        () => client.handshake,
      ),
      isFinal: (code) => code === liveClose.signedOut,
      silence: beatInterval * 2.5,
      onState: ({ phase }) => {
        if (phase === 'lost') this.losses += 1;
        if (phase === 'closed') this.faults.push('its session ended');
      },
      onOpen: () => this.#subscribe(),
      onMessage: (text) => this.#hear(JSON.parse(text) as ServerMessage),
    });
    this.#socket.open();
  }

  /** Whether its list came whole over the connection of this moment. */
  get isLive(): boolean {
    return this.#socket.state.phase === 'open' && this.#isComplete;
  }

  /** What the status of each pod says, by uid. */
  statuses(): ReadonlyMap<string, string> {
    return new Map([...this.rows].map(([uid, cells]) => [uid, this.#statusOf(cells)]));
  }

  #statusOf(cells: readonly CellValue[]): string {
    const cell = cells[this.#statusColumn];
    return String(Array.isArray(cell) ? (cell as readonly unknown[])[0] : cell);
  }

  /** Loads it anew, as somebody does who comes back: on whichever server is next. */
  reload(): void {
    this.#socket.close();
    this.#socket.open();
  }

  close(): void {
    this.#socket.close();
  }

  #subscribe(): void {
    this.#subscription += 1;
    this.#seq = 0;
    this.#incoming = undefined;
    this.#isComplete = false;
    const { clusterId } = this.#parts;
    this.#socket.send(JSON.stringify({ type: 'subscribe', id: this.#subscription, clusterId, kind: 'pod' }));
  }

  #hear(message: ServerMessage): void {
    if (message.type === 'store') this.storeAwaySince = message.awaySince;
    if (message.type === 'hello') {
      this.storeAwaySince = null;
      this.#statusColumn = message.columns['pod']?.indexOf('status') ?? -1;
      this.#socket.confirm();
    }
    if (!('id' in message)) return;
    if (message.type === 'ended') this.faults.push(`its list ended: ${message.title}`);
    if (!('seq' in message)) return;
    if (message.seq !== this.#seq + 1) this.faults.push(`message ${message.seq} came after ${this.#seq}`);
    this.#seq = message.seq;
    if (message.type === 'snapshot') {
      if (message.reset) this.#incoming = new Map();
      for (const [uid, cells] of message.rows) this.#incoming?.set(uid, cells);
      if (message.done && this.#incoming !== undefined) {
        this.rows = this.#incoming;
        this.#incoming = undefined;
        this.#isComplete = true;
      }
    } else if (message.type === 'changes') {
      const rows = this.#incoming ?? this.rows;
      for (const [uid, cells] of message.upserts) {
        rows.set(uid, cells);
        this.#parts.onStatus?.(this.#statusOf(cells));
      }
      for (const uid of message.removes) rows.delete(uid);
    }
  }
}
