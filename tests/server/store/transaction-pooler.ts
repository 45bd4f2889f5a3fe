import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** A pooler in transaction mode, as PgBouncer's `pool_mode = transaction`. */
export interface TransactionPooler {
  readonly port: number;
  close(): Promise<void>;
}

interface Message {
  /** Its letter; empty for the first message of a client, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** A session of PostgreSQL, and the client that has it until its transaction ends. */
interface Session {
  readonly socket: Socket;
  holder: PooledClient | null;
}

interface PooledClient {
  readonly socket: Socket;
  /** What it asked for before it had a session. */
  waiting: Buffer[];
}

const sslRequest = 80_877_103;
const protocol = 196_608;

/** Cuts a stream into messages; the first of a client has no letter. */
function readMessages(socket: Socket, isFirstBare: boolean, take: (message: Message) => void): void {
  let rest = Buffer.alloc(0);
  let isBare = isFirstBare;
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isBare ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const bytes = rest.subarray(0, end);
      rest = rest.subarray(end);
      take({ type: bytes.subarray(0, head).toString(), bytes });
      isBare &&= bytes.length === 8 && bytes.readInt32BE(4) === sslRequest;
    }
  });
  socket.on('error', () => undefined);
}

/**
 * Stands before a PostgreSQL that asks nobody on its socket for a password, and gives each of its sessions in turn to the
 * client that asks next, until that client's transaction ends.
 * @param target folder of the socket, and whom the sessions belong to
 * @param count how many sessions it has
 */
export async function startTransactionPooler(
  target: { readonly socket: string; readonly user: string; readonly database: string },
  count: number,
): Promise<TransactionPooler> {
  const clients = new Set<PooledClient>();
  const greeting: Buffer[] = [];
  const sessions: Session[] = [];
  let turn = 0;

  const pump = (): void => {
    for (const client of clients) {
      if (client.waiting.length === 0 || sessions.some(({ holder }) => holder === client)) continue;
      const free = sessions
        .map((_one, index) => sessions[(turn + index) % count])
        .find((one) => one?.holder === null);
      if (free === undefined) return;
      turn = (sessions.indexOf(free) + 1) % count;
      free.holder = client;
      free.socket.write(Buffer.concat(client.waiting));
      client.waiting = [];
    }
  };

  for (let index = 0; index < count; index += 1) {
    const socket = connect(join(target.socket, '.s.PGSQL.5432'));
    const session: Session = { socket, holder: null };
    const ready = Promise.withResolvers<void>();
    let isReady = false;
    readMessages(socket, false, ({ type, bytes }) => {
      const isIdle = type === 'Z' && bytes.toString('latin1', 5) === 'I';
      if (isReady) {
        session.holder?.socket.write(bytes);
        if (!isIdle) return;
        session.holder = null;
        pump();
      } else {
        if (index === 0) greeting.push(bytes);
        isReady = isIdle;
        if (isReady) ready.resolve();
      }
    });
    const settings = `user\0${target.user}\0database\0${target.database}\0\0`;
    const body = Buffer.alloc(8);
    body.writeInt32BE(8 + settings.length);
    body.writeInt32BE(protocol, 4);
    await once(socket, 'connect');
    socket.write(Buffer.concat([body, Buffer.from(settings)]));
    await ready.promise;
    sessions.push(session);
  }

  const server = createServer((socket) => {
    const client: PooledClient = { socket, waiting: [] };
    clients.add(client);
    socket.on('close', () => clients.delete(client));
    let isGreeted = false;
    readMessages(socket, true, ({ type, bytes }) => {
      if (type === 'X') socket.end();
      else if (isGreeted) {
        const own = sessions.find(({ holder }) => holder === client);
        if (own === undefined) client.waiting.push(Buffer.from(bytes));
        else own.socket.write(bytes);
        pump();
      } else if (bytes.length === 8 && bytes.readInt32BE(4) === sslRequest) socket.write('N');
      else {
        isGreeted = true;
        socket.write(Buffer.concat(greeting));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const { socket } of [...clients, ...sessions]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
