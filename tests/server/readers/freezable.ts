import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to an address that can be cut off. */
export interface FreezableWay {
  /** `host:port` */
  readonly address: string;
  /** Lets nothing more through and ends nothing, as a network does that is gone. */
  freeze(): void;
  /** Destroys every connection; new ones are refused while it is cut. */
  cut(): void;
  /** Lets new connections through again. */
  heal(): void;
  close(): void;
}

/** Stands before an address of 127.0.0.1. */
export async function freezableWay(target: () => string): Promise<FreezableWay> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'frozen' | 'cut' = 'open';
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    if (state === 'cut') near.destroy();
    if (state !== 'open') return;
    const far = connect(Number(target().split(':')[1]), '127.0.0.1');
    sockets.add(far);
    far.on('error', () => undefined);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const destroy = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze() {
      state = 'frozen';
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut() {
      state = 'cut';
      destroy();
    },
    heal() {
      state = 'open';
      destroy();
    },
    close() {
      destroy();
      server.close();
    },
  };
}
