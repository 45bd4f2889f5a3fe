import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropOlder } from '../../../src/server/audit/dropping.ts';
import { canonicalJson, type JsonContent } from '../../../src/server/audit/chain.ts';
import { unsentRows } from '../../../src/server/audit/unsent.ts';
import { verifyAudit } from '../../../src/server/audit/verify.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { type Line, StreamLab } from './stream-lab.ts';

let lab: StreamLab;
beforeEach(async () => {
  lab = await StreamLab.start();
});
afterEach(() => lab.close());

const patience = { timeout: 60_000 };
const positions = (lines: readonly Line[]) => lines.map(({ position }) => position);
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Waits until the receiver has confirmed a position. */
const untilConfirmed = (position: number) =>
  expect.poll(async () => (await lab.row())?.position, patience).toBe(position);

async function set(secret?: string): Promise<void> {
  await lab.company.save(lab.owner, { url: lab.receiver.url, ...(secret === undefined ? {} : { secret }) });
}

const microseconds = (at: unknown) => (typeof at === 'string' ? Date.parse(at) * 1_000 : null);

/** The hash of a line after another one, computed from what the line says alone. */
function hashOf(before: string, line: Line): string {
  const row = [
    'id',
    'entry',
    'companyId',
    'userId',
    'actor',
    'action',
    'clusterId',
    'subject',
    'changes',
    'address',
    'requestId',
  ].map((name) => line[name] as JsonContent);
  const times = [microseconds(line['startedAt']), microseconds(line['finishedAt'])];
  const content = [...row, ...times, line['status'] as JsonContent, line['isTry'] as JsonContent];
  return createHash('sha256')
    .update(Buffer.from(before, 'hex'))
    .update(canonicalJson([line.chain, line.position, line['id'] as JsonContent, content]))
    .digest('hex');
}

describe('a receiver', () => {
  it('that has confirmed nothing yet has its rows counted, with how long the oldest one waits', async () => {
    const unsent = async () => (await unsentRows(lab.audit.store, false))[0];
    expect(await unsent()).toEqual({ queue: 'audit/https', jobs: 0, late: 0 });
    await lab.audit.write(2);
    await lab.link();
    await set();
    const { jobs = 0, late = 0 } = (await unsent()) ?? {};
    expect(jobs).toBe(4);
    expect(late).toBeGreaterThan(0);
    lab.serve(lab.https());
    await untilConfirmed(4);
    expect(await unsent()).toMatchObject({ jobs: 0, late: 0 });
  });

  it('has each row of its chain once and in order, and can compute the hashes from the lines', async () => {
    await lab.audit.write(3);
    await lab.audit.audit.begin(lab.audit.entry({ companyId: null, actor: 'the operator' }));
    await lab.link();
    await set();
    lab.serve(lab.https());
    await untilConfirmed(6);
    await lab.audit.write(1);
    await lab.link();
    await untilConfirmed(8);
    const lines = lab.lines();
    expect(positions(lines)).toEqual(upTo(8));
    expect(lines[1]).toMatchObject({
      type: 'row',
      chain: lab.owner.companyId,
      action: 'deleteCluster',
      actor: 'ada@example.org',
      subject: { index: 0 },
      status: 204,
      outcome: 'done',
    });
    let before = '0'.repeat(64);
    for (const line of lines) {
      expect(line.hash).toBe(hashOf(before, line));
      before = line.hash;
    }
    expect(lab.receiver.received[0]?.headers).toMatchObject({ 'content-type': 'application/x-ndjson' });
    expect(lab.receiver.received[0]?.headers).not.toHaveProperty('authorization');
    expect(await lab.company.read(lab.owner)).toMatchObject({ position: 8, waiting: 0, difference: null });
  });

  it('is shown the secret as the header Authorization, or a signature by a secret of webhooks', async () => {
    await lab.audit.write(1);
    await lab.link();
    await set('Splunk 0f1e2d3c');
    lab.serve(lab.https());
    await untilConfirmed(2);
    await set(`whsec_${lab.key.toString('base64')}`);
    await lab.audit.write(1);
    await lab.link();
    await untilConfirmed(4);
    const [plain, signed] = lab.receiver.received;
    expect(plain?.headers).toMatchObject({ authorization: 'Splunk 0f1e2d3c' });
    expect(signed?.headers).not.toHaveProperty('authorization');
    expect(signed?.headers).toMatchObject({ 'webhook-signature': expect.stringMatching(/^v1,/) });
  });

  it('that fails is sent the same again, in order, and Owners see why', async () => {
    await lab.audit.write(2);
    await lab.link();
    await set('Bearer hush-hush');
    lab.receiver.answer({ status: 503 }, { status: 302 }, { status: 500, body: 'hush-path' });
    const stop = lab.serve(lab.https(), { waits: [400] });
    await expect
      .poll(() => lab.company.read(lab.owner), patience)
      .toMatchObject({
        position: 0,
        waiting: 4,
        problem: 'The receiver answered 503.',
      });
    await untilConfirmed(4);
    expect(positions(lab.lines().slice(-4))).toEqual(upTo(4));
    expect(await lab.company.read(lab.owner)).toMatchObject({ waiting: 0, problem: null, failedAt: null });
    await stop();
  });

  it('that does not answer in time is tried again, and keeps nobody else waiting', async () => {
    const [other] = await lab.audit.store.db.insert(companies).values({ name: 'Quay' }).returning();
    await lab.audit.write(1);
    await lab.audit.audit.begin(lab.audit.entry({ companyId: other?.id ?? 0 }));
    await lab.link();
    await set();
    await lab.audit.tamper(`insert into audit_streams (id, sink, chain, company_id)
      values (gen_random_uuid(), 'https', ${other?.id}, ${other?.id})`);
    let answer: () => void = () => undefined;
    lab.receiver.answer({ status: 204, after: new Promise<void>((resolve) => (answer = resolve)) });
    lab.serve(lab.https(700));
    await expect
      .poll(async () => (await lab.row())?.problem, patience)
      .toBe('The receiver did not answer within 15 seconds.');
    // A row that came at the same time is confirmed by the try after it.
    await untilConfirmed(2);
    answer();
    const { streams } = await verifyAudit(lab.audit.store);
    expect(streams).toMatchObject([{ waiting: 0 }, { waiting: 1 }]);
  });

  it('has every position when two servers send at the same time', async () => {
    await lab.audit.write(20);
    await lab.link();
    await set();
    lab.serve(lab.https(), { batches: { rows: 3, waiting: 1_000 } });
    lab.serve(lab.https(), { batches: { rows: 4, waiting: 1_000 } });
    await untilConfirmed(40);
    expect([...new Set(positions(lab.lines()))].sort((one, two) => one - two)).toEqual(upTo(40));
  });

  it('that is set while the one before has not answered yet gets what that one did not confirm', async () => {
    await lab.audit.write(1);
    await lab.link();
    await set();
    let answer: () => void = () => undefined;
    lab.receiver.answer({ status: 204, after: new Promise<void>((resolve) => (answer = resolve)) });
    lab.serve(lab.https());
    await expect.poll(() => lab.receiver.received.length, patience).toBe(1);
    await lab.company.save(lab.owner, { url: lab.receiver.url.replace('hooks', 'new') });
    answer();
    await untilConfirmed(2);
    const last = lab.receiver.received.at(-1);
    expect(last?.path).toMatch(/^\/new/);
    expect(positions(lab.lines().slice(-2))).toEqual([1, 2]);
  });
});

describe('rows that cannot be sent', () => {
  it('because more wait than are kept are a gap, in the stream and in the audit', async () => {
    await lab.audit.write(5);
    await lab.link();
    await set();
    lab.serve(lab.https(), { batches: { rows: 100, waiting: 4 } });
    await untilConfirmed(10);
    const [gap, ...rows] = lab.lines();
    expect(gap).toMatchObject({ type: 'gap', position: 6, from: 1, rows: 6, hash: expect.any(String) });
    expect(positions(rows)).toEqual(upTo(10, 7));
    expect(hashOf(gap?.hash ?? '', rows[0] as Line)).toBe(rows[0]?.hash);
    const told = await lab.audit.store.db.select().from(auditRows).where(eq(auditRows.action, 'audit.gap'));
    expect(told).toMatchObject([
      {
        companyId: lab.owner.companyId,
        subject: { receiver: `http://127.0.0.1:${lab.receiver.port}`, from: 1, until: 6, rows: 6 },
      },
    ]);
    await lab.link();
    await untilConfirmed(11);
  });

  it('because the organisation keeps them no longer are a gap', async () => {
    await lab.audit.writeOld(4, 100);
    await lab.link();
    await lab.audit.store.db.update(companies).set({ auditDays: 30 });
    expect(await dropOlder(lab.audit.store, lab.owner.companyId)).toBe(2);
    await lab.link();
    await set();
    lab.serve(lab.https());
    await expect.poll(() => lab.lines().length, patience).toBeGreaterThanOrEqual(2);
    expect(lab.lines()).toMatchObject([
      { type: 'gap', from: 1, position: 8, rows: 8 },
      { type: 'row', position: 9, action: 'audit.expire' },
    ]);
    // A row that was confirmed and dropped later is no difference.
    const { streams } = await verifyAudit(lab.audit.store);
    expect(streams.map(({ problem }) => problem)).toEqual([null]);
  });
});

describe('a chain that differs from what was confirmed', () => {
  it.each([
    [
      'its end was cut off',
      'delete from audit where id > 4; delete from audit_links where row_id > 4; delete from audit_segments where last_position > 4',
      'the audit has no position 6; it ends at position 4.',
    ],
    [
      'it was computed anew',
      "update audit_links set hash = decode(repeat('ab', 32), 'hex') where position = 6",
      'the audit has another row at position 6.',
    ],
  ])('because %s is told, and sent no further', async (_name, statement, sentence) => {
    await lab.audit.write(3);
    await lab.link();
    await set();
    lab.serve(lab.https());
    await untilConfirmed(6);
    await lab.audit.tamper(statement);
    const whole = `Position 6 was confirmed by http://127.0.0.1:${lab.receiver.port}, but ${sentence}`;
    const { streams } = await verifyAudit(lab.audit.store);
    expect(streams.map(({ problem }) => problem)).toEqual([whole]);
    await lab.audit.write(3);
    await lab.link();
    await expect.poll(async () => (await lab.row())?.failures, patience).toBeGreaterThan(0);
    expect(await lab.company.read(lab.owner)).toMatchObject({
      difference: expect.stringMatching(/^Position 6 was confirmed by/),
      problem: null,
    });
    expect(positions(lab.lines())).toEqual(upTo(6));
  });
});
