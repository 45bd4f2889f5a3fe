import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCast } from '../../../src/contract/asciicast.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { AuditUpkeep } from '../../../src/server/audit/upkeep.ts';
import { dropOldRecordings, dropOrphanedParts } from '../../../src/server/recordings/expiry.ts';
import { verifyRecordings } from '../../../src/server/recordings/verify.ts';
import { requireOwner } from '../../../src/server/routes/require-owner.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { shellRecordingParts, shellRecordings } from '../../../src/server/store/schema/recordings.ts';
import { createFakeClock } from '../live/fake-clock.ts';
import type { TestConsole, TestPerson } from '../harness.ts';
import pino from 'pino';
import type { PlaygroundConsole } from '../playground-console.ts';
import { sharedRecordedShells } from './recorded-shells.ts';

const lab = sharedRecordedShells();
const { startShell, replay, endedRecording, castOf, newOwner } = lab;
let playground: PlaygroundConsole;
let console: TestConsole;
let owner: TestPerson;
let clusterId: number;
let pod: string;

beforeAll(() => {
  ({ playground, console, owner, clusterId, pod } = lab.place);
});

describe('the recordings of a company', () => {
  it('are found by person, cluster and time, and linked from the audit of the shell', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    shell.socket.close();
    const recording = await endedRecording(person);
    expect(recording.ending).toBe('The page was closed.');
    const found = async (query: object) =>
      (await owner.client.call('recordings', { query })).recordings.map(({ id }) => id);
    expect(await found({ clusterId, person: person.email.slice(0, -4) })).toEqual([recording.id]);
    expect(await found({ clusterId: clusterId + 1 })).toEqual([]);
    expect(await found({ until: recording.startedAt })).not.toContain(recording.id);
    expect((await found({ from: recording.startedAt }))[0]).toBe(recording.id);
    const { entries } = await owner.client.call('audit', {
      query: { person: person.email, action: 'pod.shell' },
    });
    expect(entries[0]?.subject).toMatchObject({ recording: recording.id });
  });

  it('are replayed and saved by its Owners alone, and each time is on record', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    shell.socket.close();
    const { id } = await endedRecording(person);
    await castOf(id);
    const path = `/api/organization/recordings/${id}/cast`;
    const file = await owner.client.send('GET', path);
    expect(file.headers['content-disposition']).toMatch(new RegExp(`filename="${pod}-[\\d-]+\\.cast"`));
    expect(readCast(file.text).events.at(-1)).toMatchObject({ 1: 'm', 2: 'The page was closed.' });
    for (const action of ['recording.replay', 'recording.download']) {
      const { entries } = await owner.client.call('audit', { query: { action, object: id } });
      expect(entries, action).toMatchObject([
        { actor: owner.email, clusterId, status: 200, subject: { recording: id, of: person.email } },
      ]);
    }
    const stranger = await console.person({ companyId: await console.company('Other'), isOwner: true });
    const member = await console.person({ companyId: playground.companyId });
    expect((await stranger.client.send('GET', path)).status).toBe(404);
    expect((await member.client.send('GET', path)).status).toBe(403);
    expect((await stranger.client.call('recordings', {})).recordings).toEqual([]);
    const [foreign, own] = [replay(stranger, id), replay(member, id)];
    await expect.poll(() => [foreign.status, own.status]).toEqual([404, 403]);
  });

  it('are not read on by somebody who signed out or is no Owner any more', async () => {
    const person = await newOwner();
    const [member] = await console.store.db
      .select({ user: sessions, membership: memberships })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .innerJoin(memberships, eq(memberships.userId, users.id))
      .where(eq(users.email, person.email));
    if (member === undefined) throw new Error('The person has no session.');
    const asked = {
      id: member.user.userId,
      companyId: playground.companyId,
      sessionHash: member.user.tokenHash.toString('hex'),
      token: null,
    } as Member;
    const ask = () => requireOwner(console.store, asked, 'Only Owners read this.');
    await expect(ask()).resolves.toBeUndefined();
    await console.store.db.delete(sessions).where(eq(sessions.userId, asked.id));
    await expect(ask()).rejects.toThrow('The session ended.');
  });

  it('of one company go although those of another cannot', async () => {
    const { db } = console.store;
    await console.company('Third');
    await db.update(companies).set({ auditDays: 30 });
    const clock = createFakeClock();
    const tried: number[] = [];
    const upkeep = new AuditUpkeep({
      store: console.store,
      log: pino({ level: 'silent' }),
      clock,
      dropMore(companyId) {
        tried.push(companyId);
        return Promise.reject(new Error('The statement took too long.'));
      },
    });
    upkeep.start();
    await clock.advance(3_000);
    await expect.poll(() => tried.length).toBe(await db.$count(companies));
    await upkeep.close();
    await db.update(companies).set({ auditDays: null });
  });

  it('go with the retention of the audit, which is on record, and outlive their cluster', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    shell.socket.close();
    const { id } = await endedRecording(person);
    const { db } = console.store;
    const old = new Date(Date.now() - 31 * 86_400_000).toISOString();
    await db.update(shellRecordings).set({ startedAt: old }).where(eq(shellRecordings.id, id));
    const before = (await owner.client.call('recordings', {})).recordings.length;
    await dropOldRecordings(console.store, playground.companyId, 30, Date.now());
    const left = (await owner.client.call('recordings', {})).recordings;
    expect(left).toHaveLength(before - 1);
    expect(left.map((recording) => recording.id)).not.toContain(id);
    expect(await db.$count(shellRecordingParts, eq(shellRecordingParts.recordingId, id))).toBe(0);
    const { entries } = await owner.client.call('audit', { query: { action: 'recording.expire' } });
    expect(entries).toMatchObject([
      { actor: 'retention', subject: { days: 30, recordings: 1, newest: old } },
    ]);
    const [first] = left;
    if (first === undefined) throw new Error('No recording is left.');
    const open = await startShell(person);
    const logged = console.log.length;
    await owner.client.call('deleteCluster', { params: { clusterId } });
    const [newest, ...others] = (await owner.client.call('recordings', {})).recordings;
    expect(newest).toMatchObject({ ending: 'Its cluster was removed from this console.' });
    expect(others).toEqual(left);
    expect((await castOf(first.id)).header.title).toContain(`on ${first.cluster}`);
    // The one that was open ended with it, once, and its recording fits what the audit says of it.
    await expect.poll(() => open.is('ended')).toBeDefined();
    const shells = await owner.client.call('audit', { query: { action: 'pod.shell' } });
    expect(shells.entries[0]).toMatchObject({
      actor: person.email,
      status: 403,
      subject: { recording: newest?.id, ending: 'Its cluster was removed from this console.' },
    });
    const { problems } = await verifyRecordings(console.store);
    expect(problems.filter((problem) => problem.includes(newest?.id ?? ''))).toEqual([]);
    expect(console.log.slice(logged).filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('of a deleted company are unreadable at once, and deleted in batches afterwards', async () => {
    const { db } = console.store;
    await dropOrphanedParts(console.store);
    const kept = await db.$count(shellRecordingParts);
    const companyId = await console.company('Fourth');
    const last = await console.person({ companyId, isOwner: true });
    const id = randomUUID();
    const pod = { mode: 'exec', namespace: 'shop', name: 'web', key: Buffer.of(1) };
    const of = { id, companyId, clusterId, cluster: 'prod', userId: last.id, actor: last.email };
    await db.insert(shellRecordings).values({ ...of, ...pod });
    // More than one statement takes.
    await db.execute(sql`insert into shell_recording_parts
      select ${id}::uuid, n, 'x'::bytea from generate_series(1, 1201) n`);
    await last.client.call('deleteCompany', { body: { name: 'Fourth' } });
    expect(await db.$count(shellRecordings, eq(shellRecordings.id, id))).toBe(0);
    await dropOrphanedParts(console.store, () => true);
    expect(await db.$count(shellRecordingParts)).toBe(kept + 1201);
    await dropOrphanedParts(console.store);
    expect(await db.$count(shellRecordingParts)).toBe(kept);
  });
});
