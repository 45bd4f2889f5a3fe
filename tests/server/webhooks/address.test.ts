import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseWebhookUrl, type WebhookPolicy } from '../../../src/server/webhooks/address.ts';
import { postWebhook } from '../../../src/server/webhooks/post.ts';
import { startReceiver } from './receiver.ts';

const never = new AbortController().signal;
const strict: WebhookPolicy = { allowPorts: [], allowCidrs: [] };

/** Addresses that are refused by what they say. */
const literals = [
  'http://hooks.example.org/',
  'ftp://hooks.example.org/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0x7f.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://db.localhost/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://192.0.2.1/',
  'https://①②⑦.0.0.1/',
  'https://user:secret@hooks.example.org/',
  'https://hooks.example.org@127.0.0.1/',
  'https://hooks.example.org:8443/',
  'https://hooks.example.org/#fragment',
  'https://hooks.example.org/a\r\nHost: evil',
  'https://hooks .example.org/',
  'hooks.example.org/path',
  '',
];

/** What a harmless name leads to where the connection must not be made. */
const resolved = [
  '127.0.0.1',
  '10.1.2.3',
  '192.168.0.10',
  '169.254.169.254',
  '100.64.1.1',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  'fd12::1',
  'fe80::1',
  '64:ff9b::a00:1',
];

const post = (url: string, policy: WebhookPolicy, ...addresses: readonly string[]) =>
  postWebhook(
    { url: new URL(url), body: '{}', headers: {} },
    {
      policy,
      signal: never,
      now: 0,
      limit: 2_000,
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    },
  );

describe('the address of a webhook', () => {
  it.each(literals)('%j is refused, without its path in the sentence', (url) => {
    let refusal: unknown;
    try {
      parseWebhookUrl(url, strict);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ status: 400, title: expect.any(String) });
    expect(JSON.stringify(refusal)).not.toMatch(/meta-data|secret|fragment/);
  });

  it.each(resolved)('whose name leads to %s is refused at the connection', async (address) => {
    const { status, problem } = await post('https://hooks.example.org/', strict, address);
    expect(status).toBeNull();
    expect(problem).toMatch(/^The console sends no webhook to .*WHEELHOUSE_WEBHOOK_ALLOW_CIDRS\.$/);
  });

  it('whose name leads to a public and a private address is refused', async () => {
    const { problem } = await post('https://hooks.example.org/', strict, '93.184.216.34', '10.0.0.1');
    expect(problem).toContain('a private address');
  });

  it('is judged at each connection: a name that leads elsewhere the next time is refused then', async () => {
    const receiver = await startReceiver();
    try {
      const policy: WebhookPolicy = { allowPorts: [receiver.port], allowCidrs: ['127.0.0.1/32'] };
      const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '127.0.0.1'];
      const resolve = async () => [{ address: answers.shift() ?? '', family: 4 as const }];
      const url = new URL(`http://rebound.example.org:${receiver.port}/`);
      const send = () =>
        postWebhook({ url, body: '{}', headers: {} }, { policy, signal: never, now: 0, resolve });
      expect(await send()).toMatchObject({ status: 204, problem: null });
      expect((await send()).problem).toContain('(10.0.0.1)');
      expect((await send()).problem).toContain('a cloud metadata address');
      expect(await send()).toMatchObject({ status: 204 });
      expect(receiver.received).toHaveLength(2);
    } finally {
      await receiver.close();
    }
  });

  it.each([
    [
      'br',
      brotliCompressSync('canary'),
      'The answer is compressed with “br”, but the console decodes only gzip.',
    ],
    ['gzip', gzipSync('canary'), 'canary'],
    ['gzip', brotliCompressSync('canary'), ''],
  ])(
    'may answer compressed with %s: the message was received, and gzip alone is decoded',
    async (encoding, body, head) => {
      const receiver = await startReceiver();
      try {
        const policy: WebhookPolicy = { allowPorts: [receiver.port], allowCidrs: ['127.0.0.1/32'] };
        receiver.answer({ status: 200, headers: { 'content-encoding': encoding }, body });
        const result = await post(`http://receiver.example.org:${receiver.port}/`, policy, '127.0.0.1');
        expect(result).toMatchObject({ status: 200, problem: null, head });
        expect(receiver.received[0]?.headers['accept-encoding']).toBe('gzip');
      } finally {
        await receiver.close();
      }
    },
  );

  it.each(['http://169.254.169.254/latest/', 'http://[::1]/', '/elsewhere', '//10.0.0.1/'])(
    'is not left by a redirect to %s',
    async (location) => {
      const receiver = await startReceiver();
      try {
        const policy: WebhookPolicy = { allowPorts: [receiver.port], allowCidrs: ['127.0.0.1/32'] };
        receiver.answer({ status: 307, headers: { location } });
        const { status, problem } = await post(
          `http://receiver.example.org:${receiver.port}/`,
          policy,
          '127.0.0.1',
        );
        expect(status).toBe(307);
        expect(problem).toContain('redirects are not followed');
        expect(receiver.received).toHaveLength(1);
      } finally {
        await receiver.close();
      }
    },
  );

  it('whose receiver does not answer is given up', async () => {
    const receiver = await startReceiver();
    try {
      const policy: WebhookPolicy = { allowPorts: [receiver.port], allowCidrs: ['127.0.0.1/32'] };
      let answer: () => void = () => {};
      receiver.answer({ status: 204, after: new Promise<void>((done) => (answer = done)) });
      const url = new URL(receiver.url);
      const tried = await postWebhook(
        { url, body: '{}', headers: {} },
        { policy, signal: never, now: 0, limit: 100 },
      );
      expect(tried).toMatchObject({
        status: null,
        problem: 'The receiver did not answer within 15 seconds.',
      });
      answer();
    } finally {
      await receiver.close();
    }
  });

  it('may be what the operator lists, also by plain http; metadata never', async () => {
    const open: WebhookPolicy = {
      allowPorts: [8080],
      allowCidrs: ['10.0.0.0/8', '169.254.0.0/16', '0.0.0.0/0'],
    };
    expect(parseWebhookUrl('http://10.0.0.1:8080/', open).origin).toBe('http://10.0.0.1:8080');
    for (const url of [
      'https://169.254.169.254/',
      'https://[::ffff:169.254.169.254]/',
      'https://100.100.100.200/',
    ])
      expect(() => parseWebhookUrl(url, open)).toThrow('a cloud metadata address');
    const { problem } = await post('https://hooks.example.org/', open, '169.254.169.254');
    expect(problem).toContain('a cloud metadata address');
    const narrow: WebhookPolicy = { allowPorts: [80], allowCidrs: ['10.0.0.0/8'] };
    expect((await post('http://hooks.example.org/', narrow, '93.184.216.34')).problem).toContain(
      'only https',
    );
  });
});
