import { once } from 'node:events';
import { connect, createServer, type Http2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { guardAbandonedStreams } from '../../../src/server/clusters/abandoned-streams.ts';

test('a stream that nobody listens to any more does not end the process when its connection fails', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', note);
  const server = createServer();
  server.on('stream', (stream: Http2Stream) => stream.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  guardAbandonedStreams();
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.on('error', () => undefined);
  await once(session, 'connect');
  const stream = session.request({ ':path': '/' });
  const closed = new Promise<void>((resolve) => stream.on('close', resolve));
  session.destroy(new Error('socket idle timeout'));
  await closed;
  await new Promise((done) => setImmediate(done));
  process.off('uncaughtException', note);
  server.close();
  expect(uncaught).toEqual([]);
});
