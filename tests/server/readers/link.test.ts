import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { PeerLink, linkTimes, SilentPeer } from '../../../src/server/readers/peer-link.ts';
import { answerWith, PeerListener, type PeerRequest } from '../../../src/server/readers/peer-listener.ts';
import { freezableWay } from './freezable.ts';

const log = pino({ level: 'silent' });
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const keyOf = (byte: number) => () => Buffer.alloc(32, byte);

async function listen(answer: (request: PeerRequest) => void, protocol = '1 build'): Promise<string> {
  const listener = new PeerListener({
    address: '127.0.0.1:0',
    key: keyOf(1),
    protocol,
    answer: (request) => {
      if (request.path === '/hello') answerWith(request.stream, 200, { server: 'a', mark: 'mark' });
      else answer(request);
    },
    log,
  });
  const address = await listener.listen();
  ends.push(() => listener.close());
  return address;
}

function linkTo(address: string, key = keyOf(1), protocol = '1 build'): PeerLink {
  const link = new PeerLink({ address, key, protocol, clock: systemClock, log });
  ends.push(() => link.close());
  return link;
}

describe('a link between servers', () => {
  test('carries requests of a server with the key', async () => {
    const link = linkTo(await listen(({ path, stream }) => answerWith(stream, 200, { path })));
    expect(await link.opened()).toBe(true);
    expect(link.mark).toBe('mark');
    expect(await link.json('/lists')).toEqual({ status: 200, body: { path: '/lists' } });
  });

  test('does not open for a server with another key, in either direction', async () => {
    const answered = vi.fn();
    const link = linkTo(await listen(answered), keyOf(2));
    expect(await link.opened()).toBe(false);
    expect(link.state).toBe('lost');
    await expect(link.json('/lists')).rejects.toThrow('no link');
    expect(answered).not.toHaveBeenCalled();
  });

  test('does not open for a server of another version', async () => {
    const answered = vi.fn();
    const link = linkTo(await listen(answered), keyOf(1), '1 earlier');
    expect(await link.opened()).toBe(false);
    expect(link.state).toBe('other version');
    expect(answered).not.toHaveBeenCalled();
  });

  test('takes no answer that is too large', async () => {
    const part = Buffer.alloc(1024 * 1024, 32);
    const link = linkTo(
      await listen(({ stream }) => {
        stream.respond({ ':status': 200 });
        const more = () => {
          while (!stream.destroyed && stream.write(part));
          if (!stream.destroyed) stream.once('drain', more);
        };
        more();
      }),
    );
    await link.opened();
    await expect(link.json('/lists')).rejects.toThrow('too large');
    expect(link.state).toBe('open');
  });

  test('is lost within three seconds of silence, with the time of the last sign of life', async () => {
    const address = await listen(({ stream }) => {
      stream.respond({ ':status': 200 });
      stream.write('begun\n');
    });
    const way = await freezableWay(() => address);
    ends.push(() => way.close());
    const link = linkTo(way.address);
    await link.opened();
    const { stream } = await link.request('/watches');
    const broken = new Promise<unknown>((resolve) => stream.once('error', resolve));
    stream.resume();
    const frozenAt = Date.now();
    way.freeze();
    const error = await broken;
    expect(error).toBeInstanceOf(SilentPeer);
    expect((error as SilentPeer).heardAt).toBeLessThanOrEqual(frozenAt);
    expect(Date.now() - frozenAt).toBeLessThan(linkTimes.silence + 1_000);
    await vi.waitFor(() => expect(link.state).not.toBe('open'));
  });

  test('opens again by itself once the other server is back', async () => {
    const address = await listen(({ stream }) => answerWith(stream, 200));
    const link = linkTo(address);
    expect(await link.opened()).toBe(true);
    await ends.shift()?.();
    await vi.waitFor(() => expect(link.state).toBe('lost'));
    const again = new PeerListener({
      address,
      key: keyOf(1),
      protocol: '1 build',
      answer: ({ stream }) => answerWith(stream, 200, { server: 'b', mark: 'other' }),
      log,
    });
    await again.listen();
    ends.push(() => again.close());
    await vi.waitFor(() => expect(link.state).toBe('open'), { timeout: 10_000 });
    expect(link.mark).toBe('other');
  });
});
