import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** What stands before several servers and gives each request and each socket to the next of them. */
export interface RoundRobin {
  readonly port: number;
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** The ports of the servers behind it, from now on. What is open stays where it is. */
  serve(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** A server that does not say so often that it is ready gets nothing new, ms: as a Service asks its pods. */
const probes = { interval: 1_000, patience: 1_000 };

/**
 * Starts a round-robin on a free port of 127.0.0.1: no memory of who was where, request by request. Only a server that
 * refuses the connection is passed over at once; an answer that breaks off is given as 502.
 */
export async function startRoundRobin(): Promise<RoundRobin> {
  const balancer = new Balancer();
  const server = createServer((asked, answer) => balancer.pass(asked, answer));
  server.on('upgrade', (asked, socket: Duplex, head: Buffer) => balancer.upgrade(asked, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    serve: (ports) => balancer.serve(ports),
    async close() {
      balancer.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

class Balancer {
  #ports: readonly number[] = [];
  readonly #unready = new Set<number>();
  readonly #sockets = new Set<Duplex>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #probing = setInterval(() => this.#probe(), probes.interval);
  #turn = 0;

  serve(ports: readonly number[]): void {
    this.#ports = ports;
    this.#probe();
  }

  close(): void {
    clearInterval(this.#probing);
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The servers in the order in which this request tries them. */
  #order(): readonly number[] {
    this.#turn += 1;
    const ready = this.#ports.filter((port) => !this.#unready.has(port));
    const from = ready.length === 0 ? this.#ports : ready;
    const first = this.#turn % Math.max(1, from.length);
    return [...from.slice(first), ...from.slice(0, first)];
  }

  #probe(): void {
    for (const port of this.#ports) {
      const asked = request({ host: '127.0.0.1', port, path: '/readyz', timeout: probes.patience });
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => this.#unready.add(port));
      asked.on('response', (answer) => {
        answer.resume();
        if (answer.statusCode === 200) this.#unready.delete(port);
        else this.#unready.add(port);
      });
      asked.end();
    }
  }

  /** Sends a request to the first server that takes the connection. */
  #send(
    asked: IncomingMessage,
    parts: { readonly onFailed: () => void; readonly agent: Agent | false },
    prepare: (sent: ReturnType<typeof request>) => void,
    order = this.#order(),
  ): void {
    const [port, ...others] = order;
    if (port === undefined) {
      parts.onFailed();
      return;
    }
    const { method, url, headers } = asked;
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers, agent: parts.agent });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Nothing was sent to a server that is not there; all else might be done twice.
      if (error.code === 'ECONNREFUSED') this.#send(asked, parts, prepare, others);
      else parts.onFailed();
    });
    prepare(sent);
  }

  pass(asked: IncomingMessage, answer: ServerResponse): void {
    const body: Buffer[] = [];
    asked.on('error', () => answer.destroy());
    asked.on('data', (part: Buffer) => body.push(part));
    asked.on('end', () => {
      const onFailed = (): void => {
        if (answer.headersSent) answer.destroy();
        else answer.writeHead(502).end();
      };
      this.#send(asked, { onFailed, agent: this.#agent }, (sent) => {
        answer.on('close', () => sent.destroy());
        sent.on('response', (from) => {
          answer.writeHead(from.statusCode ?? 502, from.rawHeaders);
          from.on('error', onFailed);
          from.pipe(answer);
        });
        sent.end(Buffer.concat(body));
      });
    });
  }

  upgrade(asked: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#keep(socket);
    this.#send(asked, { onFailed: () => socket.destroy(), agent: false }, (sent) => {
      socket.on('close', () => sent.destroy());
      sent.on('upgrade', (from, there: Duplex, first: Buffer) => {
        this.#keep(there);
        socket.write(headOf(from));
        socket.write(first);
        there.write(head);
        socket.pipe(there).pipe(socket);
        socket.on('close', () => there.destroy());
        there.on('close', () => socket.destroy());
      });
      // Refused: a usual answer.
      sent.on('response', (from) => {
        socket.write(headOf(from));
        from.pipe(socket);
      });
      sent.end();
    });
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

/** The head of an answer as it came. */
function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
