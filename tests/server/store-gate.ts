import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** A way to a database that can be shut: whoever comes by it finds none, as while a real one is away. */
export interface StoreGate {
  /** A connection string. */
  readonly url: string;
  /** Ends every connection and lets none be opened. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** Makes one, open, for a database of the test run; the caller shuts it in the end. @param databaseUrl of a socket */
export async function createStoreGate(databaseUrl: string): Promise<StoreGate> {
  const url = new URL(databaseUrl);
  const socket = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const connections = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const gate: StoreGate = {
    get url() {
      return `postgresql://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`;
    },
    async shut() {
      const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
      for (const one of connections) one.destroy();
      await closed;
    },
    async open() {
      const opened = createServer((from) => {
        const to = createConnection(socket);
        for (const [one, other] of [
          [from, to],
          [to, from],
        ] as const) {
          connections.add(one);
          one.on('error', () => undefined);
          one.on('close', () => {
            connections.delete(one);
            other.destroy();
          });
          one.pipe(other);
        }
      });
      server = opened;
      await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
      const address = opened.address();
      if (typeof address === 'object' && address !== null) ({ port } = address);
    },
  };
  await gate.open();
  return gate;
}
