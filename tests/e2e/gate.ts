import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a cluster that can be closed and opened again, as a network between them would. */
export interface Gate {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Takes connections and lets nothing through, like a cluster that hangs. */
  freeze(): void;
  thaw(): void;
}

/** Opens a gate on a port of its own in front of a server on loopback. */
export async function openGate(target: string): Promise<Gate> {
  const to = Number(new URL(target).port);
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [near: Socket, far: Socket]>();
  let isFrozen = false;
  let server: Server | undefined;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const listen = async (port: number): Promise<number> => {
    const next = createServer((near) => {
      const far = connect(to, '127.0.0.1');
      keep(near);
      keep(far);
      const pair = [near, far] as const;
      pairs.add(pair);
      near.on('close', () => {
        pairs.delete(pair);
        far.destroy();
      });
      far.on('close', () => near.destroy());
      if (!isFrozen) near.pipe(far).pipe(near);
    });
    await new Promise<void>((done, fail) => {
      next.once('error', fail);
      next.listen(port, '127.0.0.1', done);
    });
    server = next;
    const address = next.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  };
  const port = await listen(0);
  return {
    port,
    shut: async () => {
      const old = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => (old === undefined ? done(undefined) : old.close(done)));
    },
    open: async () => {
      if (server === undefined) await listen(port);
    },
    freeze: () => {
      if (isFrozen) return;
      isFrozen = true;
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    thaw: () => {
      // Two that are piped into each other twice are told everything twice.
      if (!isFrozen) return;
      isFrozen = false;
      for (const [near, far] of pairs) near.pipe(far).pipe(near);
    },
  };
}
