import { randomUUID } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ShellMessage } from '../../../src/contract/shell.ts';
import type { Member } from '../../../src/server/access/person.ts';
import {
  beginRecording,
  recordedPerDay,
  recordedPerPerson,
} from '../../../src/server/recordings/recordings.ts';
import { verifyRecordings } from '../../../src/server/recordings/verify.ts';
import { shellRecordingParts, shellRecordings } from '../../../src/server/store/schema/recordings.ts';
import type { TestConsole, TestPerson } from '../harness.ts';
import { sharedRecordedShells, textOf } from './recorded-shells.ts';

const lab = sharedRecordedShells();
const { connect, openShell, startShell, replay, setRules, recordingsOf, endedRecording, castOf, newOwner } =
  lab;
let console: TestConsole;
let owner: TestPerson;
let clusterId: number;
let pod: string;

beforeAll(() => {
  ({ console, owner, clusterId, pod } = lab.place);
});

describe('a recorded shell', () => {
  it('says so before it opens; its output, sizes and end are recorded in order, never what is only typed', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    expect(shell.messages.map(({ type }) => type)).toEqual(['recorded', 'started']);
    shell.type('echo canary-42\r');
    await expect.poll(() => shell.page.shown).toContain('\ncanary-42\r\n');
    shell.socket.send(JSON.stringify({ type: 'resize', columns: 120, rows: 40 }));
    // A key that the shell does not echo.
    shell.type('\u0001');
    shell.type('exit 3\r');
    const recording = await endedRecording(person);
    expect(recording).toMatchObject({
      actor: person.email,
      clusterId,
      mode: 'exec',
      namespace: 'shop',
      name: pod,
      ending: 'The shell ended with code 3.',
    });
    const { header, events } = await castOf(recording.id);
    expect(header).toMatchObject({ width: 100, height: 30 });
    expect(header.title).toMatch(new RegExp(`^Shell in shop/${pod} on `));
    expect(textOf(events)).toBe(shell.page.shown);
    expect(textOf(events, 'r')).toBe('120x40');
    expect(new Set(events.map((event) => event[1]))).toEqual(new Set(['o', 'r', 'm']));
    expect(JSON.stringify(events)).not.toContain('\\u0001');
    expect(events.at(-1)).toMatchObject({ 1: 'm', 2: 'The shell ended with code 3.' });
    const times = events.map(([seconds]) => seconds);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('is also one that is attached: what is typed into its process and not shown is not recorded', async () => {
    const person = await newOwner();
    const attached = openShell(person, '&mode=attach');
    await expect.poll(() => attached.is('started')).toBeDefined();
    expect(attached.messages[0]?.type).toBe('recorded');
    attached.socket.send(Buffer.from('typed-into-attach'));
    await expect.poll(() => attached.shown).not.toBe('');
    attached.socket.close();
    const recording = await endedRecording(person);
    expect(recording.mode).toBe('attach');
    const { header, events } = await castOf(recording.id);
    expect(header.title).toMatch(/^Attached to /);
    expect(textOf(events)).toContain(attached.shown);
    expect(JSON.stringify(events)).not.toContain('typed-into-attach');
  });

  it('records what a command does whose page leaves at once', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    shell.type('echo left-$((40 + 2)) && echo after-all\r');
    shell.socket.close();
    const recording = await endedRecording(person);
    expect(recording.ending).toBe('The page was closed.');
    const { events } = await castOf(recording.id);
    expect(textOf(events)).toContain('after-all');
    expect(textOf(events)).toContain('echo left-');
    expect(events.at(-1)?.[1]).toBe('m');
  });

  it('opens for names of Kubernetes alone', async () => {
    const place = (name: string, more = '') =>
      `/api/clusters/${clusterId}/pods/shop/${encodeURIComponent(name)}/shell?columns=100&rows=30${more}`;
    const refused = [place('web\u202e'), place('a"b'), place(pod, '&container=%0a')].map((path) =>
      connect<ShellMessage>(owner, path),
    );
    await expect.poll(() => refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    const after = `1.${'-'.repeat(36)}`;
    expect((await owner.client.send('GET', `/api/organization/recordings?after=${after}`)).status).toBe(400);
  });

  it('is sealed: its text is nowhere in the database or the log', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    shell.type('echo canary-7073\r');
    await expect.poll(() => shell.page.shown).toContain('canary-7073');
    shell.socket.close();
    const recording = await endedRecording(person);
    const { rows: tables } = await console.store.db.execute<{ name: string }>(
      sql`select quote_ident(table_name) as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { rows } = await console.store.db.execute(sql`
        select 1 from ${sql.raw(name)} t where t::text like '%canary%' or t::text like ${`%${Buffer.from('canary').toString('hex')}%`}`);
      expect(rows, name).toEqual([]);
    }
    expect(JSON.stringify(console.log)).not.toContain('canary');
    expect(textOf((await castOf(recording.id)).events)).toContain('canary-7073');
  });

  it('is stored within a second of what it shows, whatever becomes of the server', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    shell.type('echo shown-2\r');
    await expect.poll(() => shell.page.shown).toContain('\nshown-2\r\n');
    const [open] = await recordingsOf(person);
    expect(open).toMatchObject({ endedAt: null, ending: null });
    await expect
      .poll(async () => textOf((await castOf(open?.id ?? '')).events), { timeout: 1_000 })
      .toContain('\nshown-2\r\n');
  });

  it('shows a part that was changed, swapped or taken out', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    for (const number of [1, 2, 3]) {
      shell.type(`echo part-${number}00\r`);
      await expect.poll(() => shell.page.shown).toContain(`\npart-${number}00\r\n`);
      await expect
        .poll(async () => textOf((await castOf((await recordingsOf(person))[0]?.id ?? '')).events))
        .toContain(`part-${number}00`);
    }
    shell.socket.close();
    const { id } = await endedRecording(person);
    const { db } = console.store;
    const own = eq(shellRecordingParts.recordingId, id);
    const stored = await db
      .select()
      .from(shellRecordingParts)
      .where(own)
      .orderBy(asc(shellRecordingParts.position));
    expect(stored.length).toBeGreaterThan(3);
    const tamper = async (parts: typeof stored) => {
      await db.delete(shellRecordingParts).where(own);
      await db.insert(shellRecordingParts).values(parts);
      const page = replay(owner, id);
      await expect.poll(() => page.is('ended')).toBeDefined();
      return page.is('ended');
    };
    const changed = Buffer.from(stored[1]?.data ?? []);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(
      await tamper(stored.map((part) => (part.position === 2 ? { ...part, data: changed } : part))),
    ).toMatchObject({ title: expect.stringMatching(/^Part 2 of \d+ of this recording was changed after/) });
    const dataAt = (position: number) => stored[position - 1]?.data ?? Buffer.of();
    const swapped = stored.map((part) => ({
      ...part,
      data: dataAt(part.position === 2 ? 3 : part.position === 3 ? 2 : part.position),
    }));
    expect(await tamper(swapped)).toMatchObject({ title: expect.stringContaining('was changed after') });
    expect(await tamper(stored.filter(({ position }) => position !== 2))).toMatchObject({
      title: expect.stringMatching(/^Part 2 of \d+ of this recording is missing/),
    });
    expect(await tamper(stored.slice(0, -1))).toMatchObject({
      title: expect.stringMatching(/^Part (\d+) of \1 of this recording is missing/),
    });
  });

  it('is bound to what its row says of it, and to what the audit told at its end', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    shell.type('echo bound-1\r');
    await expect.poll(() => shell.page.shown).toContain('\nbound-1\r\n');
    shell.socket.close();
    const { id } = await endedRecording(person);
    const subject = async () =>
      (await owner.client.call('audit', { query: { object: id, action: 'pod.shell' } })).entries[0]?.subject;
    await expect.poll(subject).toHaveProperty('recordingHash');
    const { db } = console.store;
    const own = eq(shellRecordings.id, id);
    const [row] = await db.select().from(shellRecordings).where(own);
    const parts = await db
      .select()
      .from(shellRecordingParts)
      .where(eq(shellRecordingParts.recordingId, id))
      .orderBy(asc(shellRecordingParts.position));
    expect(await subject()).toMatchObject({ recordingParts: row?.parts });
    const problems = async () =>
      (await verifyRecordings(console.store)).problems.filter((problem) => problem.includes(id));
    expect(await problems()).toEqual([]);
    expect((await verifyRecordings(console.store)).right).toBeGreaterThan(0);
    for (const other of [{ namespace: 'data' }, { name: 'api' }, { userId: 1 }, { clusterId: 99 }]) {
      await db.update(shellRecordings).set(other).where(own);
      expect(await problems(), JSON.stringify(other)).toEqual([
        expect.stringContaining('is said to be of another shell'),
      ]);
      const page = replay(owner, id);
      await expect
        .poll(() => page.is('ended'))
        .toMatchObject({ title: expect.stringContaining('or belongs elsewhere') });
      await db
        .update(shellRecordings)
        .set(row ?? {})
        .where(own);
    }
    // The end is cut off together with the count of the parts.
    const last = and(eq(shellRecordingParts.recordingId, id), eq(shellRecordingParts.position, parts.length));
    await db.delete(shellRecordingParts).where(last);
    await db
      .update(shellRecordings)
      .set({ parts: parts.length - 1 })
      .where(own);
    expect(await problems()).toEqual([
      expect.stringContaining(`has ${parts.length - 1} parts; ${parts.length} were recorded`),
    ]);
    await db
      .insert(shellRecordingParts)
      .values(parts.slice(-1).map((part) => ({ ...part, data: part.data.subarray(1) })));
    expect(await problems()).toEqual([expect.stringContaining('is not what was recorded')]);
    await db.delete(shellRecordings).where(own);
    expect(await problems()).toEqual([expect.stringContaining('is missing')]);
  });

  it('opens only in a pod that is there, and while its company has room for the day', async () => {
    const person = await newOwner();
    const nowhere = connect<ShellMessage>(
      person,
      `/api/clusters/${clusterId}/pods/shop/never-was/shell?columns=100&rows=30`,
    );
    await expect
      .poll(() => nowhere.is('ended'))
      .toMatchObject({ reason: 'not-running', title: 'Pod shop/never-was was not found.' });
    expect(await recordingsOf(person)).toEqual([]);
    const shell = await startShell(person);
    shell.socket.close();
    const { id } = await endedRecording(person);
    const { db } = console.store;
    const own = eq(shellRecordings.id, id);
    const [row] = await db.select().from(shellRecordings).where(own);
    if (row === undefined) throw new Error('Nothing was recorded.');
    const second = { ...row, id: randomUUID(), size: 2 ** 30 };
    await db.insert(shellRecordings).values(second);
    await db
      .update(shellRecordings)
      .set({ size: recordedPerDay - 2 ** 30 })
      .where(own);
    const refused = openShell(person);
    await expect
      .poll(() => refused.is('ended'))
      .toMatchObject({
        reason: 'unrecorded',
        title: expect.stringMatching(/^Shells of your organisation showed more than 2 GiB within a day/),
      });
    // The page hears of a refusal before the audit does.
    const statuses = async () => {
      const query = { person: person.email, action: 'pod.shell' };
      const { entries } = await owner.client.call('audit', { query });
      return entries.map(({ status }) => status);
    };
    await expect.poll(statuses).toEqual([503, 200, 404]);
    await db.delete(shellRecordings).where(eq(shellRecordings.id, second.id));
    // A quarter of it is one person's share, which an open recording uses up as well; others have their own.
    const { userId, companyId } = row;
    const begin = async (id: number) =>
      await beginRecording(console.services, {
        id: randomUUID(),
        person: { ...person, id, companyId, token: null } as unknown as Member,
        cluster: { id: clusterId, name: 'playground' },
        namespace: 'shop',
        name: 'web',
        query: { mode: 'exec', columns: 100, rows: 30 },
      });
    await db
      .update(shellRecordings)
      .set({ size: recordedPerPerson - 2 ** 20 })
      .where(own);
    const { recorder } = await begin(userId ?? 0);
    recorder.output(Buffer.alloc(2 ** 20 + 2 ** 17, 'a'));
    expect(await recorder.stopped).toBe('person-quota');
    await recorder.close('It is over.');
    await expect(begin(userId ?? 0)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('recorded for one person'),
    });
    const unhindered = await begin(owner.id);
    await unhindered.recorder.close('It is over.');
    await db.delete(shellRecordings).where(eq(shellRecordings.name, 'web'));
    await db.update(shellRecordings).set({ size: row.size }).where(own);
  });

  it('ends where its recording cannot be stored any more, and none opens where it cannot be begun', async () => {
    const person = await newOwner();
    const shell = await startShell(person);
    const { db } = console.store;
    await db.execute(
      sql`alter table shell_recording_parts add constraint refused check (position < 0) not valid`,
    );
    try {
      shell.type('echo never\r');
      await expect.poll(() => shell.page.is('ended')).toMatchObject({ reason: 'unrecorded' });
      const next = openShell(person);
      await expect
        .poll(() => next.is('ended'))
        .toMatchObject({
          reason: 'unrecorded',
          title: expect.stringContaining('cannot be stored, and shells here must be recorded'),
        });
      expect(next.messages.map(({ type }) => type)).toEqual(['ended']);
      expect(next.shown).toBe('');
    } finally {
      await db.execute(sql`alter table shell_recording_parts drop constraint refused`);
    }
  });

  it('takes the place of one that was not recorded, which ends when recording is switched on', async () => {
    await setRules({ isShellRecorded: false });
    const person = await newOwner();
    const plain = await startShell(person);
    expect(plain.messages.map(({ type }) => type)).toEqual(['started']);
    await setRules({ isShellRecorded: true });
    await expect
      .poll(() => plain.page.is('ended'))
      .toMatchObject({
        reason: 'denied',
        title: expect.stringMatching(/^Shells on .+ are recorded from now on, and this one was not/),
      });
    expect(await recordingsOf(person)).toEqual([]);
    // Switched off, what was announced holds to the end.
    const recorded = await startShell(person);
    await setRules({ isShellRecorded: false });
    recorded.type('echo still-2\r');
    await expect.poll(() => recorded.page.shown).toContain('\nstill-2\r\n');
    recorded.type('exit\r');
    expect(textOf((await castOf((await endedRecording(person)).id)).events)).toContain('still-2');
    await setRules({ isShellRecorded: true });
  });
});

describe('a shell of the console’s credential', () => {
  it('ends when the cluster is to know people', async () => {
    const shell = await startShell(await newOwner());
    await setRules({ isShellRecorded: true, isImpersonating: true });
    await expect
      .poll(() => shell.page.is('ended'))
      .toMatchObject({ reason: 'denied', title: expect.stringContaining('as each person') });
    await setRules({ isShellRecorded: true, isImpersonating: false });
  });
});
