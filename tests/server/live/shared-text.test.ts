import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { afterEach, expect, test } from 'vitest';
import { deflateWindowBits } from '../../../src/server/live/wire/deflate-window.ts';
import { frameBefore, shareText } from '../../../src/server/live/wire/shared-text.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** What a page hears of messages whose rest is shared and compressed, with one of the library's own after each. */
async function heard(messages: readonly (readonly [head: string, rest: string])[]): Promise<string[]> {
  const http = createServer();
  const server = new WebSocketServer({
    server: http,
    perMessageDeflate: { serverNoContextTakeover: true, serverMaxWindowBits: deflateWindowBits },
  });
  ends.push(() => http.close());
  server.on('connection', (socket, request) => {
    for (const [head, rest] of messages) {
      const { deflated } = shareText(rest);
      if (deflated === undefined) throw new Error('The text is too short.');
      request.socket.write(frameBefore(head, deflated.length));
      request.socket.write(deflated);
      socket.send('between', { compress: false });
    }
    socket.close();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const page = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const texts: string[] = [];
  page.on('message', (data: Buffer, isBinary) => texts.push(isBinary ? 'binary' : data.toString('utf8')));
  await once(page, 'close');
  return texts;
}

test('a page reads a head and a compressed text as one message, whatever their lengths', async () => {
  // Incompressible as well, with texts outside ASCII, on both sides of the lengths that a header says otherwise.
  const noise = (length: number) =>
    Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join('');
  const messages: [string, string][] = [
    ['{', 'a'.repeat(2_000)],
    ['{"type":"snapshot","id":1,', '"rows":[]'.repeat(200_000)],
    ['ü€𝄞', noise(1_024)],
    ['', noise(30_000)],
    ['x'.repeat(65_535), noise(40_000)],
  ];
  expect(await heard(messages)).toEqual(messages.flatMap(([head, rest]) => [head + rest, 'between']));
});

test('a text is compressed once, and not at all when it is short', () => {
  const long = shareText('row '.repeat(1_000));
  expect(long.deflated).toBe(long.deflated);
  expect(long.deflated?.length).toBeLessThan(100);
  expect(String(long.plain)).toBe('row '.repeat(1_000));
  expect(shareText('{}').deflated).toBeUndefined();
});
