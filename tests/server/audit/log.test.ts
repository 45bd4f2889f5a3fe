import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { writeDated } from './dated.ts';

let console: TestConsole;
let companyId: number;
let owner: TestPerson;
let stranger: TestPerson;

beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company('Harbour');
  owner = await console.person({ companyId, isOwner: true });
  stranger = await console.person({ companyId: await console.company('Other'), isOwner: true });
});
afterAll(() => console.close());

const lines = (text: string) => text.trimEnd().split('\n');
const read = async (query: Record<string, string>) => (await owner.client.call('audit', { query })).entries;

describe('the audit of a company', () => {
  it('tells its Owners who did what, with what was before and after, and others nothing', async () => {
    const clusterId = await console.cluster(companyId, 'prod');
    await owner.client.call('changeCompany', { body: { name: 'Pier', domain: null } });
    const rules = await owner.client.call('globalSettings', { params: { clusterId } });
    await owner.client.call('saveGlobalSettings', {
      params: { clusterId },
      body: { ...rules, isReadOnly: true },
    });
    const team = await owner.client.call('createTeam', { body: { name: 'ops', description: '' } });
    await owner.client.call('updateTeam', {
      params: { teamId: team.id },
      body: { name: 'ops', description: 'On call' },
    });
    expect(await read({})).toMatchObject([
      {
        action: 'updateTeam',
        subject: { teamId: team.id, name: 'ops' },
        changes: { description: { before: '', after: 'On call' } },
      },
      { action: 'createTeam', changes: null },
      {
        action: 'saveGlobalSettings',
        clusterId,
        cluster: 'prod',
        changes: { isReadOnly: { before: false, after: true } },
      },
      {
        action: 'changeCompany',
        actor: owner.email,
        userId: owner.id,
        status: 200,
        address: '127.0.0.1',
        changes: { name: { before: 'Harbour', after: 'Pier' } },
      },
    ]);
    expect((await stranger.client.call('audit', {})).entries).toEqual([]);
    const file = await stranger.client.send('GET', '/api/organization/audit/export?format=jsonl');
    expect(file.text).not.toContain('Pier');
  });

  it('is searched by person, object, cluster, action, outcome and time, and paged without gap or repetition', async () => {
    const clusterId = await console.cluster(companyId, 'blue');
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    const row = (minute: number, more: Partial<typeof auditRows.$inferInsert>) => ({
      companyId,
      userId: 1,
      actor: 'ada@example.org',
      action: 'pod.delete',
      clusterId,
      subject: { names: 'web-1' },
      address: '::1',
      requestId: `r${minute}`,
      startedAt: at(minute),
      finishedAt: at(minute),
      status: 200,
      ...more,
    });
    await writeDated(console.store.db, (tx) =>
      tx
        .insert(auditRows)
        .values([
          row(1, {}),
          row(2, { actor: 'per_cent@example.org' }),
          row(3, { subject: { names: '100%, "quoted" \\', namespace: 'shop' } }),
          row(4, { status: 403 }),
          row(5, { status: 500, action: 'pod.evict' }),
          row(6, { status: null, finishedAt: null }),
          row(7, { clusterId: null, subject: { web: 'db' } }),
        ]),
    );
    const period = { from: at(1), until: at(8) };
    const found = async (query: Record<string, string>) =>
      (await read({ ...period, ...query })).map(({ requestId }) => requestId).sort();
    expect(await found({})).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7']);
    expect(await found({ from: at(3), until: at(5) })).toEqual(['r3', 'r4']);
    expect(await found({ person: 'PER_' })).toEqual(['r2']);
    expect(await found({ object: '100%' })).toEqual(['r3']);
    expect(await found({ object: '"Quoted" \\' })).toEqual(['r3']);
    // Names are looked for, not what they are called.
    expect(await found({ object: 'web' })).toEqual(['r1', 'r2', 'r4', 'r5', 'r6']);
    expect(await found({ clusterId: String(clusterId), action: 'pod.delete' })).toHaveLength(5);
    expect(await found({ outcome: 'done' })).toEqual(['r1', 'r2', 'r3', 'r7']);
    expect(await found({ outcome: 'refused' })).toEqual(['r4']);
    expect(await found({ outcome: 'failed' })).toEqual(['r5']);
    expect(await found({ outcome: 'open' })).toEqual(['r6']);

    const many = Array.from({ length: 250 }, (_, index) =>
      row(100 + (index >> 2), { requestId: `m${index}`, action: 'many' }),
    );
    await console.store.db.insert(auditRows).values(many);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: { entries: AuditEntry[]; next: string | null } = await owner.client.call('audit', {
        query: { action: 'many', ...(after === null ? {} : { after }) },
      });
      seen.push(...page.entries.map(({ requestId }) => requestId));
      after = page.next;
    } while (after !== null);
    expect(seen).toHaveLength(250);
    expect(new Set(seen).size).toBe(250);
    const { actions, oldestAt, days } = await owner.client.call('auditSettings', {});
    expect(actions).toEqual(expect.arrayContaining(['many', 'pod.delete', 'pod.evict']));
    expect([oldestAt, days]).toEqual([at(1), null]);
    await owner.client.call('deleteCluster', { params: { clusterId } });
    const { goneClusters } = await owner.client.call('auditSettings', {});
    expect(goneClusters).toEqual([{ id: clusterId, name: 'blue' }]);
    expect((await stranger.client.call('auditSettings', {})).goneClusters).toEqual([]);
    expect(await found({ clusterId: String(clusterId), action: 'pod.delete' })).toHaveLength(5);
    for (const query of ['after=x', 'outcome=odd', 'from=yesterday', 'surprise=1'])
      expect((await owner.client.send('GET', `/api/organization/audit?${query}`)).status, query).toBe(400);
  });

  it('is saved as CSV with formulas as text, or as JSON lines, and the export is an entry itself', async () => {
    const formulas = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1'];
    await console.store.db.insert(auditRows).values(
      formulas.map((actor) => ({
        companyId,
        actor,
        action: 'formula',
        subject: { name: 'a,"b"\n\u2028' },
        address: '=cmd',
        requestId: 'f',
        status: 200,
      })),
    );
    const csv = await owner.client.send('GET', '/api/organization/audit/export?action=formula&format=csv');
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/),
      'cache-control': 'no-store',
    });
    for (const formula of formulas)
      expect(csv.text).toContain(formula === '\r=1' ? `"'${formula}"` : `,'${formula},`);
    expect(csv.text).toContain(`,'=cmd,f,`);
    expect(csv.text).not.toMatch(/(^|,|\n)"?[=+@\t\r]/);
    const jsonl = await owner.client.send(
      'GET',
      '/api/organization/audit/export?action=formula&format=jsonl',
    );
    const entries = lines(jsonl.text).map((line) => JSON.parse(line) as AuditEntry);
    expect(entries.map(({ actor }) => actor).sort()).toEqual([...formulas].sort());
    expect(await read({ action: 'exportAudit' })).toMatchObject([
      { subject: { format: 'jsonl', action: 'formula', entries: 6 }, status: 200 },
      { subject: { format: 'csv', action: 'formula', entries: 6 }, status: 200 },
    ]);
  });

  it('is not read on by somebody who is no Owner any more', async () => {
    const other = await console.person({ companyId, isOwner: true });
    await console.store.db.execute(sql`insert into audit (company_id, actor, action, address, request_id, status, subject)
      select ${companyId}::int, 'a', 'bulk', '::1', 'b' || n, 200, jsonb_build_object('text', repeat('x', 500))
      from generate_series(1, 20000) n`);
    const answer = await fetch(`${console.url}/api/organization/audit/export?format=jsonl&action=bulk`, {
      headers: { cookie: [...other.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    await reader?.read();
    await console.store.db
      .update(memberships)
      .set({ orgRole: orgRoles.Member })
      .where(eq(memberships.userId, other.id));
    const rest = async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read());
    };
    await expect(rest()).rejects.toThrow();
    await expect
      .poll(async () => (await read({ action: 'exportAudit', person: other.email }))[0]?.status)
      .toBe(403);
  });

  it('is kept for as long as its Owners say, at least thirty days, and the rule is an entry', async () => {
    const refused = await owner.client.send('PUT', '/api/organization/audit/settings', { days: 29 });
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { title: expect.stringContaining('at least 30 days') },
    ]);
    expect(await owner.client.call('changeAuditSettings', { body: { days: 90 } })).toMatchObject({
      days: 90,
    });
    expect((await read({ action: 'changeAuditSettings' }))[0]).toMatchObject({
      changes: { days: { before: null, after: 90 } },
    });
    expect(await stranger.client.call('auditSettings', {})).toMatchObject({ days: null });
  });
});
