import { describe, expect, it } from 'vitest';
import { parseWebhookUrl, type WebhookPolicy } from '../../../src/server/webhooks/address.ts';
import { postWebhook } from '../../../src/server/webhooks/post.ts';

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
      signal: new AbortController().signal,
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
