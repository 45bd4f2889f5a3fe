import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit, auditStreams } from '../../../src/server/store/schema/audit.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { linesIn } from './stream-lab.ts';

let console: TestConsole;
let receiver: Receiver;
let owner: TestPerson;
let companyId: number;
beforeAll(async () => {
  receiver = await startReceiver();
  console = await startConsole({
    config: {
      auditStreams: {
        file: null,
        allowPorts: [receiver.port],
        allowCidrs: ['127.0.0.1/32'],
        sent: 'audit',
      },
    },
  });
  companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
});
afterAll(async () => {
  await console.close();
  await receiver.close();
});

const streamOf = async ({ client }: TestPerson) => (await client.call('auditStream', {})).stream;

describe('the stream of an organisation', () => {
  it('sends the audit to the address that an Owner sets, and shows how far it got', async () => {
    expect(await streamOf(owner)).toBeNull();
    await owner.client.call('saveAuditStream', { body: { url: receiver.url, secret: 'Bearer hush-secret' } });
    await expect
      .poll(() => streamOf(owner), { timeout: 40_000 })
      .toMatchObject({ waiting: 0, problem: null, confirmedAt: expect.any(String) });
    const lines = receiver.received.flatMap(({ body }) => linesIn(body));
    expect(lines).toContainEqual(
      expect.objectContaining({ chain: companyId, action: 'saveAuditStream', actor: owner.email }),
    );
    expect(receiver.received[0]?.headers).toMatchObject({ authorization: 'Bearer hush-secret' });
  });

  it('shows neither path nor secret again: not to Owners, and not in audit, log or database', async () => {
    const stream = await streamOf(owner);
    expect(stream).toMatchObject({ origin: `http://127.0.0.1:${receiver.port}`, hasSecret: true });
    const entries = await console.store.db.select().from(audit).where(eq(audit.companyId, companyId));
    expect(entries.find(({ action }) => action === 'saveAuditStream')).toMatchObject({
      changes: {
        origin: { before: null, after: `http://127.0.0.1:${receiver.port}` },
        secret: { before: 'none', after: 'set' },
      },
    });
    const stored = await console.store.db.select().from(auditStreams);
    for (const text of [stream, entries, stored, console.log].map((one) => JSON.stringify(one)))
      expect(text).not.toMatch(/hush/);
  });

  it('is of this organisation alone', async () => {
    const other = await console.person({ companyId: await console.company(), isOwner: true });
    expect(await streamOf(other)).toBeNull();
    await expect(other.client.call('removeAuditStream', {})).rejects.toMatchObject({
      status: 404,
      title: 'Your organisation has no stream of its audit.',
    });
    expect(await streamOf(owner)).not.toBeNull();
  });

  it.each([
    ['http://siem.example.org/', 'url', 'The console sends the audit to port 443 only, not to 80.'],
    ['https://siem.example.org:9/', 'url', 'can list more in WHEELHOUSE_AUDIT_ALLOW_PORTS.'],
    ['https://10.1.2.3/', 'url', 'that is a private address. If this is intended, the operator can list it'],
    ['https://169.254.169.254/', 'url', 'The console sends no audit to 169.254.169.254'],
    ['https://ada:pass@siem.example.org/', 'url', 'Leave the user name and password out'],
    ['not an address', 'url', 'This is not an address.'],
  ])('is not sent to %s', async (url, path, sentence) => {
    await expect(owner.client.call('saveAuditStream', { body: { url } })).rejects.toMatchObject({
      status: 400,
      issues: [{ path, message: expect.stringContaining(sentence) }],
    });
  });

  it.each([
    ['Bearer\u00a0space', 'Enter the value of the header'],
    ['a\nb', 'Enter the value of the header'],
    ['whsec_short', 'This secret cannot sign'],
  ])('takes no secret that no header or signature can have: %j', async (secret, sentence) => {
    await expect(
      owner.client.call('saveAuditStream', { body: { url: receiver.url, secret } }),
    ).rejects.toMatchObject({ status: 400, issues: [{ message: expect.stringContaining(sentence) }] });
  });

  it('goes on after what was confirmed when the address changes, and ends when it is removed', async () => {
    const before = (await streamOf(owner))?.position ?? 0;
    expect(before).toBeGreaterThan(0);
    const { stream } = await owner.client.call('saveAuditStream', { body: { url: `${receiver.url}&new` } });
    expect(stream).toMatchObject({ hasSecret: false });
    expect(stream?.position).toBeGreaterThanOrEqual(before);
    await owner.client.call('removeAuditStream', {});
    expect(await streamOf(owner)).toBeNull();
    expect(await console.store.db.$count(auditStreams)).toBe(0);
  });
});
