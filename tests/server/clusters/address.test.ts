import { describe, expect, it } from 'vitest';
import { Client } from 'undici';
import {
  AddressRefused,
  createAddressGuard,
  createGuardedConnector,
  guardedLookup,
  loopbackCidrs,
} from '../../../src/server/clusters/address.ts';
import { errorCode } from '../../../src/server/clusters/failures.ts';

const refused = [
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '0x7f000001',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '[::ffff:7f00:1]',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '169.254.169.254',
  '::ffff:169.254.169.254',
  'fe80::1',
  'fe80::1%eth0',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  '240.0.0.1',
  'fd00:ec2::254',
  'FD00:0EC2:0:0:0:0:0:254',
  'fd00:ec2::23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '::7f00:1',
  '::ffff:0:127.0.0.1',
  'fec0::1',
  'localhost',
  'LOCALHOST.',
  'api.localhost',
];

const open = [
  '10.0.0.1',
  '172.16.5.4',
  '192.168.49.2',
  '100.64.0.7',
  '8.8.8.8',
  'fd12:3456::1',
  '2606:4700::1111',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  'cluster.example.org',
];

describe('the address guard', () => {
  const guard = createAddressGuard([]);

  it.each(refused)('refuses %s', (host) => {
    expect(guard.refusalOfHost(host)).toBeTypeOf('string');
  });

  it.each(open)('lets %s through', (host) => {
    expect(guard.refusalOfHost(host)).toBeUndefined();
  });

  it('treats what is no address as refused once it claims to be one', () => {
    expect(guard.refusal('not an address')).toBe('no IP address');
    expect(guard.refusal('')).toBe('no IP address');
  });

  it('lets exceptions through in every notation, and nothing beside them', () => {
    const excepted = createAddressGuard(['127.0.0.2/32']);
    expect(excepted.refusalOfHost('127.0.0.2')).toBeUndefined();
    expect(excepted.refusalOfHost('::ffff:127.0.0.2')).toBeUndefined();
    expect(excepted.refusalOfHost('127.0.0.1')).toBeTypeOf('string');
  });

  it('binds an exception to the guard it was made for', () => {
    const playground = guard.allowing(loopbackCidrs);
    expect(playground.refusalOfHost('127.0.0.1')).toBeUndefined();
    expect(playground.refusalOfHost('169.254.169.254')).toBeTypeOf('string');
    expect(guard.refusalOfHost('127.0.0.1')).toBeTypeOf('string');
  });

  it('refuses an exception that is no CIDR', () => {
    expect(() => createAddressGuard(['127.0.0.1'])).toThrow();
  });
});

describe('the guarded connector', () => {
  const ask = async (url: string, addresses: readonly string[]) => {
    const asked: string[] = [];
    const connect = createGuardedConnector({ timeout: 2_000 }, createAddressGuard([]), async (name) => {
      asked.push(name);
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    });
    const client = new Client(url, { connect });
    const error: unknown = await client.request({ path: '/', method: 'GET' }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    await client.destroy();
    return { error, asked };
  };

  it.each([
    'https://127.0.0.1:1',
    'https://[::1]:1',
    'https://2130706433:1',
    'https://0x7f.1:1',
    'https://0177.0.0.1:1',
    'https://127.1:1',
    'https://[::ffff:7f00:1]:1',
    'https://169.254.169.254:1',
    'https://0.0.0.0:1',
  ])('checks the literal in %s although no name is looked up', async (url) => {
    const { error, asked } = await ask(url, []);
    expect(errorCode(error)).toBe('ADDRESS_REFUSED');
    expect(asked).toEqual([]);
  });

  it.each([
    [['127.0.0.1']],
    [['10.0.0.1', '169.254.169.254']],
    [['::1', '10.0.0.1']],
    [['::ffff:127.0.0.1']],
  ])('refuses a name when any of its addresses is refused: %s', async (addresses) => {
    const { error, asked } = await ask('https://rebind.example.org:1', addresses);
    expect(errorCode(error)).toBe('ADDRESS_REFUSED');
    expect(asked).toEqual(['rebind.example.org']);
  });

  it('dials exactly the address it checked, though the name answers otherwise a moment later', async () => {
    const answers = ['10.1.2.3', '127.0.0.1'];
    let calls = 0;
    const lookup = guardedLookup(createAddressGuard([]), async () => {
      const address = answers[calls] ?? '127.0.0.1';
      calls += 1;
      return [{ address, family: 4 }];
    });
    const first = await new Promise((resolve) => {
      lookup('rebind.example.org', { all: true }, (error, address) => resolve(error ?? address));
    });
    expect(first).toEqual([{ address: '10.1.2.3', family: 4 }]);
    const second = await new Promise((resolve) => {
      lookup('rebind.example.org', { all: false }, (error, address) => resolve(error ?? address));
    });
    expect(second).toBeInstanceOf(AddressRefused);
    expect(calls).toBe(2);
  });
});
