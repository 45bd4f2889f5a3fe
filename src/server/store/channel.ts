import { sql } from 'drizzle-orm';
import { Client, type ClientConfig, type Pool } from 'pg';
import { afterCommit } from './after-commit.ts';
import { Outgoing } from './outgoing.ts';
import { type Channel, type ChannelMessages, topicSorts, type Transaction } from './store.ts';

const channelName = 'wheelhouse';
/** A silent connection is asked this often whether it lives, ms. */
const checkInterval = 15_000;
/** Longest pause between two tries to open it again, ms: until then rights that go are noticed by asking alone. */
const maxPause = 1_000;

/** Log messages of the channel. */
export interface ChannelLog {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

type Listener = (message: never) => void;

/**
 * Messages between replicas over LISTEN/NOTIFY, on a connection of its own (never a pool's). A lost connection is
 * opened again with growing pauses; then every `onGap` listener is called, because messages may have been missed.
 */
export async function openChannel(
  connection: ClientConfig,
  pool: Pool,
  log: ChannelLog,
): Promise<{ channel: Channel; close: () => Promise<void> }> {
  const listeners = new Map<string, Set<Listener>>();
  const gapListeners = new Set<() => void>();
  const lossListeners = new Set<() => void>();
  let client: Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const next = new Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 10_000 });
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next, null));
    next.on('notification', ({ payload }) => deliver(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${channelName}`);
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    if (closed) return next.end();
    client = next;
  }

  function lose(lost: Client, error: Error | null): void {
    if (client !== lost) return;
    client = null;
    lost.end().catch(() => undefined);
    if (closed) return;
    log.warn({ err: error }, 'The connection for messages between servers is lost; it is opened again.');
    for (const listener of lossListeners) listener();
    again(50);
  }

  function again(pause: number): void {
    retry = setTimeout(() => {
      connect().then(
        () => {
          log.info({}, 'The connection for messages between servers is back.');
          for (const listener of gapListeners) listener();
        },
        () => {
          if (!closed) again(Math.min(pause * 2, maxPause));
        },
      );
    }, pause);
    retry.unref();
  }

  function deliver(payload: string): void {
    const parsed = messageIn(payload);
    if (parsed === undefined) {
      // Whoever may connect to the database may send here: what they wrote does not belong into the log.
      log.warn({}, 'A message between servers could not be read.');
      return;
    }
    for (const listener of listeners.get(parsed.topic) ?? []) {
      try {
        listener(parsed.message as never);
      } catch (error) {
        log.warn({ err: error, topic: parsed.topic }, 'A message between servers could not be handled.');
      }
    }
  }

  await connect();
  const check = setInterval(() => {
    const asked = client;
    if (asked === null) return;
    const late = setTimeout(() => lose(asked, new Error('The database did not answer for 10 s.')), 10_000);
    asked.query('select 1').then(
      () => clearTimeout(late),
      (error: Error) => {
        clearTimeout(late);
        lose(asked, error);
      },
    );
  }, checkInterval);
  check.unref();

  const outgoing = new Outgoing((payloads) =>
    pool.query('select pg_notify($1, one) from unnest($2::text[]) one', [channelName, payloads]),
  );
  const channel: Channel = {
    notify: createNotify(outgoing, log),
    on<K extends keyof ChannelMessages>(topic: K, listener: (message: ChannelMessages[K]) => void) {
      const set = listeners.get(topic) ?? new Set<Listener>();
      listeners.set(topic, set);
      set.add(listener);
      return () => void set.delete(listener);
    },
    onGap: (listener) => addTo(gapListeners, listener),
    onLoss: (listener) => addTo(lossListeners, listener),
  };
  return {
    channel,
    async close() {
      await outgoing.flush();
      closed = true;
      clearInterval(check);
      if (retry !== null) clearTimeout(retry);
      const last = client;
      client = null;
      await last?.end();
    },
  };
}

/** What a payload says; undefined for one that no server of any version wrote. */
function messageIn(payload: string): { readonly topic: string; readonly message: object } | undefined {
  try {
    const { topic, message } = JSON.parse(payload) as { topic?: unknown; message?: unknown };
    const isMessage = typeof topic === 'string' && typeof message === 'object' && message !== null;
    return isMessage ? { topic, message } : undefined;
  } catch {
    // No JSON, or `null`, which has no topic.
    return undefined;
  }
}

/** Adds a listener; returns its disposer. */
function addTo(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Sends each message as the sort of its topic asks. */
function createNotify(outgoing: Outgoing, log: ChannelLog): Channel['notify'] {
  return async (topic: keyof ChannelMessages, message: object, within?: Transaction) => {
    const payload = JSON.stringify({ topic, message });
    if (topicSorts[topic] === 'rights') {
      if (within === undefined) throw new Error(`${topic} is sent with the commit that makes it true.`);
      await within.execute(sql`select pg_notify(${channelName}, ${payload})`);
    } else if (within === undefined) await outgoing.add(topic, payload);
    else
      afterCommit(within, () => {
        outgoing.add(topic, payload).catch((error: unknown) => {
          log.warn(
            { err: error, topic },
            'A message between servers could not be sent; they ask without it.',
          );
        });
      });
  };
}
