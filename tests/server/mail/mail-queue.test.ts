import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { htmlOf } from '../../../src/server/mail/html.ts';
import { MailQueue, type MailQueueParts } from '../../../src/server/mail/mail-queue.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { openStore, type OpenStore } from '../../../src/server/store/open.ts';
import { resealAll } from '../../../src/server/store/reseal.ts';
import { mails } from '../../../src/server/store/schema/mails.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import type { FreshDatabase } from '../../test-postgres.ts';
import { freshDatabase } from '../postgres.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

const secret = 'https://console.example.org/login#invite=hush';
const message = {
  purpose: 'test',
  to: 'kim@example.org',
  subject: 'An invitation to Société <Générale>',
  text: `Hello <Kim> & all,\nopen this:\n\n${secret}\n\nIt expires.`,
};
const ring = { current: 'k1', keys: new Map([['k1', randomBytes(32)]]) };

let database: FreshDatabase;
let server: MailServer;
let log: string;
const open: { store: OpenStore; queue: StoredQueue }[] = [];

/** A server of the console as far as mail goes. */
async function startServer(parts: Partial<MailQueueParts> = {}) {
  const store = await openStore({ databaseUrl: database.url, dataDir: '/nowhere' });
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString('utf8');
      done();
    },
  });
  const common = { log: pino({ level: 'trace' }, stream), clock: systemClock };
  const queue = new StoredQueue({ ...common, store });
  const mailer = new MailQueue({
    ...common,
    store,
    queue,
    settings: server.settings,
    vault: createVault(ring),
    waits: [1, 1],
    ...parts,
  });
  open.push({ store, queue });
  return { store, queue, mailer };
}

async function stop({ store, queue }: { readonly store: OpenStore; readonly queue: StoredQueue }) {
  open.splice(
    open.findIndex((one) => one.store === store),
    1,
  );
  await queue.close();
  await store.close();
}

const waiting = (store: OpenStore) => store.db.select().from(mails);

beforeEach(async () => {
  database = await freshDatabase();
  server = await startMailServer();
  log = '';
});
afterEach(async () => {
  for (let one = open.at(-1); one !== undefined; one = open.at(-1)) await stop(one);
  await server.close();
  await database.drop();
});

describe('a queued mail', () => {
  it('arrives as plain text and as simple HTML in which everything but links is escaped, and its row goes', async () => {
    const { mailer, store } = await startServer();
    await mailer.start();
    await mailer.send(message);
    const mail = await server.received(1);
    expect(mail.from?.text).toBe('"Wheelhouse" <console@example.org>');
    expect(mail.subject).toBe(message.subject);
    expect(mail.text?.trim()).toBe(message.text);
    expect(mail.html).toContain('<p>Hello &lt;Kim&gt; &amp; all,<br>open this:</p>');
    expect(mail.html).toContain(`<a href="${secret}">${secret}</a>`);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    await expect.poll(() => waiting(store)).toEqual([]);
  });

  it('is sealed while it waits: neither its row nor its job has address or link in the clear', async () => {
    const { mailer, store } = await startServer();
    await mailer.send(message);
    const rows = await store.db.execute(
      sql`select (select string_agg(m::text || encode(m.content, 'escape'), '') from mails m) as mail,
        (select string_agg(j::text, '') from pgboss.job j where name = 'mail') as job`,
    );
    const text = JSON.stringify(rows.rows);
    expect(text).toContain('tries');
    for (const hidden of ['hush', 'kim@example.org', 'Kim']) expect(text).not.toContain(hidden);
  });

  it('is sealed anew when the key changes, and sent with the new key alone', async () => {
    const next = { current: 'k2', keys: new Map([...ring.keys, ['k2', randomBytes(32)]]) };
    const before = await startServer();
    await before.mailer.send(message);
    await resealAll(before.store, createVault(next), {
      ids: ['k1', 'k2'],
      current: 'k2',
      isStart: false,
      log: { warn: () => undefined, info: () => undefined },
    });
    next.keys.delete('k1');
    const after = await startServer({ vault: createVault(next) });
    await after.mailer.start();
    expect((await server.received(1)).text).toContain(secret);
  });

  it('is tried again after a temporary refusal with the same message id', async () => {
    const { mailer, store } = await startServer();
    await mailer.start();
    server.refuse(message.to, 451, 421);
    await mailer.send(message);
    const [row] = await waiting(store);
    const mail = await server.received(1);
    expect(server.tries).toHaveLength(3);
    expect(mail.messageId).toBe(`<${row?.id}@example.org>`);
  });

  it('is given up after the last try and after a final refusal', async () => {
    const { mailer, store } = await startServer();
    await mailer.start();
    server.refuse(message.to, 451, 451, 451);
    await mailer.send(message);
    await expect.poll(() => server.tries, { timeout: 5_000 }).toHaveLength(3);
    await expect.poll(() => waiting(store)).toEqual([]);
    server.refuse(message.to, 550);
    await mailer.send(message);
    await expect.poll(() => server.tries).toHaveLength(4);
    await expect.poll(() => waiting(store)).toEqual([]);
    for (const hidden of [message.to, 'hush', 'quotes your mail']) expect(log).not.toContain(hidden);
    expect(log).toContain('"reply":550');
  });

  it('goes to one address, whatever stands in it', async () => {
    const { mailer, store } = await startServer();
    await mailer.start();
    await mailer.send({ ...message, to: 'a@example.org, b@example.org' });
    await expect.poll(() => waiting(store), { timeout: 5_000 }).toEqual([]);
    expect(server.mails).toEqual([]);
  });

  it('to nobody is queued and put away like any other, and reaches no mail server', async () => {
    const { mailer, store } = await startServer();
    await mailer.send({ ...message, isForNobody: true });
    expect(await waiting(store)).toHaveLength(1);
    await mailer.start();
    await expect.poll(() => waiting(store)).toEqual([]);
    expect(server.tries).toEqual([]);
  });

  it('that says what is over is not sent', async () => {
    const { mailer, store } = await startServer();
    await mailer.start();
    await mailer.send({ ...message, giveUpAt: new Date(Date.now() - 1).toISOString() });
    await expect.poll(() => waiting(store)).toEqual([]);
    expect(server.tries).toEqual([]);
  });

  it('exists if and only if the transaction that queues it commits', async () => {
    const { mailer, store } = await startServer();
    await mailer.start();
    await store.db
      .transaction(async (tx) => {
        await mailer.send(message, tx);
        throw new Error('undone');
      })
      .catch(() => undefined);
    await mailer.send({ ...message, to: 'second@example.org' });
    await server.received(1);
    expect(server.tries).toEqual(['second@example.org']);
  });

  it('is sent by another server when its own stops before', async () => {
    const first = await startServer();
    await first.mailer.send(message);
    await stop(first);
    const second = await startServer();
    await second.mailer.start();
    expect((await server.received(1)).subject).toBe(message.subject);
  });

  it('without a job, as an import brings it, is found', async () => {
    const { mailer, store } = await startServer();
    await mailer.send(message);
    await store.db.execute(sql`delete from pgboss.job where name = 'mail'`);
    await mailer.start();
    await server.received(1);
  });

  it('is sent once by two servers that both look for it', async () => {
    const [first, second] = [await startServer(), await startServer()];
    await Promise.all([first.mailer.start(), second.mailer.start()]);
    for (let index = 0; index < 20; index += 1)
      await first.mailer.send({ ...message, to: `p${index}@example.org` });
    await expect.poll(() => waiting(first.store), { timeout: 10_000 }).toEqual([]);
    expect([...server.tries].sort()).toEqual(
      Array.from({ length: 20 }, (_, index) => `p${index}@example.org`).sort(),
    );
  });

  it('is not sent by a job whose try is not that of its row any more', async () => {
    const { mailer, store } = await startServer();
    await mailer.send(message);
    const [row] = await waiting(store);
    await store.db.update(mails).set({ tries: 1, nextAt: sql`now() + interval '1 hour'` });
    await mailer.start();
    // One after it: by then the first was looked at.
    await mailer.send({ ...message, to: 'second@example.org' });
    await server.received(1);
    const left = sql`select 1 from pgboss.job where state <> 'completed' and singleton_key = ${`${row?.id}/0`}`;
    await expect.poll(async () => (await store.db.execute(left)).rows).toEqual([]);
    expect(server.tries).toEqual(['second@example.org']);
  });

  it('is refused where a thousand wait, but for one that tells of a danger to an account', async () => {
    const { mailer, store } = await startServer();
    await store.db.execute(sql`insert into mails (id, purpose, content, give_up_at)
      select gen_random_uuid(), 'test', '\\x00', now() + interval '1 day' from generate_series(1, 1000)`);
    await expect(mailer.send(message)).rejects.toMatchObject({ status: 503 });
    await mailer.send({ ...message, isSecurityNotice: true });
    expect(await waiting(store)).toHaveLength(1_001);
  });

  it('is refused without a mail server', async () => {
    const { mailer } = await startServer({ settings: null });
    expect(mailer.isConfigured).toBe(false);
    await expect(mailer.send(message)).rejects.toMatchObject({ status: 409 });
  });

  it('whose key is gone is put away with a line in the log', async () => {
    const { mailer, store } = await startServer();
    await mailer.send(message);
    await store.db
      .update(mails)
      .set({ content: Buffer.from([1, 2, 0x6b, 0x39]) })
      .where(eq(mails.purpose, 'test'));
    await mailer.start();
    await expect.poll(() => waiting(store)).toEqual([]);
    expect(log).toContain('could not be opened');
  });
});

describe('the HTML of a mail', () => {
  it('makes no link of an address in a name', () => {
    const html = htmlOf(
      'https://evil.test invites you to https://evil.test/x now\nhttps://console.test/login',
    );
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://console.test/login"']);
  });
});
