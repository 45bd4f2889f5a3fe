import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { createTriesRetention } from '../../../src/server/audit/retention.ts';
import { createAudit } from '../../../src/server/audit/audit.ts';
import { audit, auditRows } from '../../../src/server/store/schema/audit.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { writeDated } from '../audit/dated.ts';
import { startConsole, type TestConsole, type TestPerson, testPassword } from '../harness.ts';
import { pathOf } from '../http-client.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { clockAt } from '../clock-at.ts';

const silent = pino({ level: 'silent' });

describe('the audit', () => {
  let console: TestConsole;
  let owner: TestPerson;
  let companyId: number;

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company();
    owner = await console.person({ companyId, isOwner: true, password: testPassword });
  });
  afterAll(() => console.close());

  const rows = () => console.store.db.select().from(audit).orderBy(audit.id);

  it('has who did what to what, from where, and how it ended', async () => {
    const clusterId = await console.cluster(companyId);
    const answer = await owner.client.send('DELETE', pathOf(api.deleteCluster, { clusterId }));
    expect(answer.status).toBe(204);
    expect((await rows()).at(-1)).toMatchObject({
      companyId,
      userId: owner.id,
      actor: owner.email,
      action: 'deleteCluster',
      clusterId,
      subject: { clusterId },
      address: '127.0.0.1',
      requestId: answer.headers['x-request-id'],
      status: 204,
      finishedAt: expect.any(String),
    });
  });

  it('has failures with their status', async () => {
    await owner.client.send('POST', '/api/profile/password', {
      current: 'wrong wrong wrong',
      next: 'long enough for it',
    });
    expect((await rows()).at(-1)).toMatchObject({ action: 'changePassword', status: 403, subject: {} });
  });

  it('is not written by reading', async () => {
    const before = (await rows()).length;
    await owner.client.call('clusters', {});
    await owner.client.call('currentUser', {});
    expect((await rows()).length).toBe(before);
  });

  it('has whatever callers choose as names, in a form that can be stored and read', async () => {
    const clusterId = await console.cluster(companyId);
    const names = {
      'ab%1b': 'ab\ufffd',
      [encodeURIComponent('a\u202eb\u2028c\u200bd')]: 'a\ufffdb\ufffdc\ufffdd',
      [encodeURIComponent('x'.repeat(90))]: 'x'.repeat(90),
    };
    for (const [name, kept] of Object.entries(names)) {
      const answer = await owner.client.send('POST', `/api/clusters/${clusterId}/actions/${name}`, {
        refs: [{ kind: 'pod', namespace: 'shop', name: 'a' }],
      });
      expect(answer.status).toBe(404);
      expect((await rows()).at(-1)).toMatchObject({ subject: { clusterId, actionId: kept }, status: 404 });
    }
    const store = createAudit(
      console.store,
      silent,
      createTriesRetention(console.store, silent, systemClock),
    );
    const long = `\ud800${'y'.repeat(10_000)}`;
    const row = await store.begin({
      companyId,
      userId: owner.id,
      actor: owner.email,
      action: 'test',
      clusterId: null,
      subject: { long },
      address: '127.0.0.1',
      requestId: 'test',
    });
    await row.describe({ action: 'test', subject: { long } });
    await row.finish(200, { subject: { long } });
    expect((await rows()).at(-1)).toMatchObject({
      subject: { long: `\ufffd${'y'.repeat(7_999)}…` },
      status: 200,
    });
  });

  it('keeps failed tries to get in for a time and up to a number; every other row stays', async () => {
    const own = await startConsole();
    try {
      // Long ago: the database itself keeps what is younger.
      let time = Date.parse('2021-03-01T00:00:00Z');
      const row = (action: string, status: number | null, daysAgo: number) => ({
        actor: 'signed out',
        action,
        address: '198.51.100.9',
        requestId: `${action} ${status} ${daysAgo}`,
        startedAt: new Date(time - daysAgo * 86_400_000).toISOString(),
        status,
        isTry: action !== 'changePassword' && status !== 200,
      });
      const kept = [
        row('signIn', 200, 400),
        row('changePassword', 403, 400),
        row('signIn', null, 400),
        ...[3, 2, 1].map((days) => row('signIn', 401, days)),
      ];
      const gone = [row('signIn', 401, 91), row('setup', 410, 91), row('signIn', 429, 4)];
      await writeDated(own.store.db, (tx) => tx.insert(auditRows).values([...gone, ...kept]));
      const limits = { longest: 90 * 86_400_000, rows: 3, every: 2, interval: 3_600_000 };
      const retention = createTriesRetention(
        own.store,
        silent,
        clockAt(() => time),
        limits,
      );
      const ids = async () =>
        (await own.store.db.select().from(audit).orderBy(audit.id)).map(({ requestId }) => requestId);
      const names = kept.map(({ requestId }) => requestId);
      await retention.failed();
      expect(await ids()).toEqual(names);
      // Then once in so many tries, or after the interval: the oldest of four makes room.
      const add = async (one: ReturnType<typeof row>) => {
        await writeDated(own.store.db, (tx) => tx.insert(auditRows).values(one));
        names.push(one.requestId);
      };
      await add(row('signIn', 401, 0));
      await retention.failed();
      expect(await ids()).toEqual(names);
      await retention.failed();
      names.splice(names.indexOf('signIn 401 3'), 1);
      expect(await ids()).toEqual(names);
      await add(row('setup', 410, 0));
      time += limits.interval;
      await retention.failed();
      names.splice(names.indexOf('signIn 401 2'), 1);
      expect(await ids()).toEqual(names);
    } finally {
      await own.close();
    }
  });

  it('is complete although old tries cannot be deleted: the log reports it and the deletion is repeated', async () => {
    const broken = new Proxy(console.store.db, {
      get: (db, name) => {
        if (name === 'execute') throw new Error('The store is away.');
        return Reflect.get(db, name) as unknown;
      },
    });
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    await createTriesRetention({ db: broken }, log, systemClock).failed();
    expect(lines.join()).toContain('Old failed sign-ins could not be taken out of the audit');
    const before = (await rows()).length;
    const answer = await console
      .visitor()
      .send('POST', '/api/auth/login', { email: owner.email, password: 'wrong wrong wrong' });
    expect(answer.status).toBe(401);
    expect((await rows()).slice(before)).toMatchObject([{ action: 'signIn', status: 401, userId: owner.id }]);
  });

  it('that cannot be written stops every change', async () => {
    const { client } = await console.person({ companyId: null });
    const before = (await console.store.db.select().from(companies)).length;
    await console.store.db.execute(sql`alter table audit rename to audit_away`);
    try {
      const answer = await client.send('POST', '/api/auth/company', { name: 'Never' });
      expect([answer.status, answer.json]).toMatchObject([
        503,
        { title: expect.stringContaining('nothing was changed') },
      ]);
      const signIn = await console
        .visitor()
        .send('POST', '/api/auth/login', { email: owner.email, password: testPassword });
      expect([signIn.status, signIn.headers['set-cookie']]).toEqual([503, undefined]);
    } finally {
      await console.store.db.execute(sql`alter table audit_away rename to audit`);
    }
    expect((await console.store.db.select().from(companies)).length).toBe(before);
  });

  it('an unexpected failure is answered with a request id, and logged under it without values', async () => {
    const { client } = await console.person({ companyId: null });
    await console.store.db.execute(sql`alter table companies rename to companies_away`);
    const name = 'CANARY-organisation-name';
    try {
      // The person's company is joined when the session is read.
      const answer = await client.send('POST', '/api/auth/company', { name });
      const id = String(answer.headers['x-request-id']);
      expect([answer.status, answer.json]).toMatchObject([
        500,
        {
          title: `Something went wrong on the server. Try again; if the problem persists, give request id ${id} to your administrator.`,
          requestId: id,
        },
      ]);
      const line = console.log.find((entry) => entry.reqId === id && entry.msg === 'A request failed');
      expect(line).toMatchObject({
        err: { query: expect.stringContaining('select'), stack: expect.stringContaining('at ') },
      });
    } finally {
      await console.store.db.execute(sql`alter table companies_away rename to companies`);
    }
    expect(JSON.stringify(console.log)).not.toContain('CANARY');
  });

  it('no secret sent in any field but a name reaches log, audit or the answer', async () => {
    const canary = 'CANARY7f3a9c1e5b';
    const clusterId = await console.cluster(companyId);
    const values = [canary, `${canary}@example.org`, { field: canary }, [canary]];
    const fields = [
      'email',
      'password',
      'token',
      'current',
      'next',
      'kubeConfigContent',
      'context',
      'description',
      'yaml',
      'labels',
    ];
    const answers: string[] = [];
    for (const endpoint of Object.values(api) as Endpoint[]) {
      if (endpoint.method === 'GET' || endpoint.method === 'DELETE') continue;
      // Names are what messages and audit are about; an invitation is named by its address.
      const names = new Map([['name', 'a-name']]);
      if (endpoint === api.invite) names.set('email', 'invited@example.org');
      for (const value of values) {
        const all = Object.fromEntries(fields.map((field) => [field, names.get(field) ?? value]));
        const known = Object.fromEntries(keysOf(endpoint).map((field) => [field, names.get(field) ?? value]));
        for (const body of [all, known, value]) {
          for (const client of [owner.client, console.visitor()]) {
            const path = pathOf(endpoint, { clusterId });
            const answer = await client.send(endpoint.method, path, body, {
              headers: { 'user-agent': canary },
            });
            if (answer.status >= 400) answers.push(answer.text);
          }
        }
      }
      await owner.client.send(endpoint.method, pathOf(endpoint, { clusterId }), undefined, {
        raw: `{"a": ${canary}`,
      });
    }
    await owner.client.send('GET', `/api/${canary}`);
    await owner.client.send('GET', `/api/auth/login?returnUrl=/${canary}`);
    await owner.client.send('GET', '/api/auth/user', undefined, {
      headers: { authorization: `Bearer ${canary}` },
    });

    expect(answers.length).toBeGreaterThan(50);
    expect(answers.join('\n')).not.toContain(canary);
    expect(JSON.stringify(console.log)).not.toContain(canary);
    expect(JSON.stringify(await rows())).not.toContain(canary);
    const session = owner.client.session ?? '';
    expect(JSON.stringify(console.log)).not.toContain(session);
  });
});

function keysOf(endpoint: Endpoint): string[] {
  const { body } = endpoint;
  return body !== undefined && 'shape' in body ? Object.keys(body.shape as object) : [];
}
