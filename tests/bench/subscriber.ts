import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Row } from '../../src/contract/live.ts';
import { livePath } from '../../src/contract/live-socket.ts';

/** One page that watches the pods of a cluster. Only what is measured is parsed, so that the pages cost little. */
export interface Subscriber {
  /** Bytes that came in over the wire, TCP payload. */
  readonly bytes: number;
  /** Rows that came until the snapshot was complete; a list that is still being read sends further rows as changes. */
  readonly rows: number;
  readonly messages: number;
  /** Dashboards that came. */
  readonly dashboards: number;
  subscribe(clusterId: number): void;
  /** Opens the cluster's dashboard beside the list; resolves with the first one. */
  openDashboard(clusterId: number): Promise<void>;
  /** When the snapshot is complete, epoch ms. */
  readonly complete: Promise<number>;
  close(): void;
}

/** A row begins with its uid. */
const rowStart = /\["[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}",/g;

/** @param onRows called with the rows of each change, where given; only then are changes parsed. */
export async function openSubscriber(
  url: string,
  cookie: string,
  onRows?: (rows: readonly Row[]) => void,
): Promise<Subscriber> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${livePath}`, {
    headers: { cookie, origin: url },
  });
  let raw: Socket | undefined;
  let rows = 0;
  let isComplete = false;
  let messages = 0;
  let dashboards = 0;
  const firstDashboard = Promise.withResolvers<void>();
  let resolveComplete: (at: number) => void = () => {};
  const complete = new Promise<number>((resolve) => {
    resolveComplete = resolve;
  });
  socket.on('upgrade', (response) => {
    raw = response.socket;
  });
  socket.on('message', (data) => {
    messages += 1;
    const text = (data as Buffer).toString('utf8');
    if (!isComplete && /^\{"type":"(snapshot|changes)"/.test(text)) rows += text.match(rowStart)?.length ?? 0;
    if (text.startsWith('{"type":"snapshot"') && text.slice(0, 100).includes('"done":true')) {
      isComplete = true;
      resolveComplete(performance.now());
    } else if (text.startsWith('{"type":"dashboard"')) {
      dashboards += 1;
      firstDashboard.resolve();
    } else if (onRows !== undefined && text.startsWith('{"type":"changes"')) {
      onRows((JSON.parse(text) as { upserts: Row[] }).upserts);
    }
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    get bytes() {
      return raw?.bytesRead ?? 0;
    },
    get rows() {
      return rows;
    },
    get messages() {
      return messages;
    },
    get dashboards() {
      return dashboards;
    },
    openDashboard(clusterId) {
      socket.send(JSON.stringify({ type: 'subscribe', id: 2, clusterId, dashboard: true }));
      return firstDashboard.promise;
    },
    subscribe: (clusterId) =>
      socket.send(JSON.stringify({ type: 'subscribe', id: 1, clusterId, kind: 'pod' })),
    complete,
    close: () => socket.terminate(),
  };
}
