import type { ServerMessage } from '../../../src/contract/live.ts';
import type { TestClient } from '../http-client.ts';
import { openLive } from '../live/live-client.ts';

/** A page's socket that only wants to know whether it is let in. */
export interface LivePage {
  /** Answers the status with which a subscription was ended; undefined for one that began. */
  ask(spec: object): Promise<number | undefined>;
  close(): void;
}

/** Opens a page's socket as somebody. */
export async function openPage(url: string, client: TestClient): Promise<LivePage> {
  const { socket } = await openLive(url, { cookie: client.cookie, origin: url });
  let lastId = 0;
  const answers = new Map<number, (status: number | undefined) => void>();
  socket.removeAllListeners('message');
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as ServerMessage;
    if (!('id' in message)) return;
    answers.get(message.id)?.(message.type === 'ended' ? message.status : undefined);
    answers.delete(message.id);
  });
  return {
    async ask(spec) {
      lastId += 1;
      const id = lastId;
      const answer = new Promise<number | undefined>((resolve) => answers.set(id, resolve));
      socket.send(JSON.stringify({ type: 'subscribe', id, ...spec }));
      const status = await answer;
      socket.send(JSON.stringify({ type: 'unsubscribe', id }));
      return status;
    },
    close: () => socket.terminate(),
  };
}

/** Every path of a server, from the tree that fastify prints of its routes. */
export function routesIn(tree: string): string[] {
  const parents: string[] = [];
  const found: string[] = [];
  for (const line of tree.split('\n')) {
    const match = /^([│ ]*)[├└]── (\S+) \(.+\)$/u.exec(line);
    if (match === null) continue;
    const [, indent = '', part = ''] = match;
    const depth = indent.length / 4;
    parents.length = depth;
    parents.push(part);
    found.push(parents.join(''));
  }
  return found;
}
