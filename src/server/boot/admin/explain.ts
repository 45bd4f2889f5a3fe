import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import { StartError } from '../../kit/start-error.ts';
import { openStore } from '../../store/open.ts';
import { users } from '../../store/schema/accounts.ts';
import { clusters } from '../../store/schema/clusters.ts';
import { servers } from '../../store/schema/servers.ts';
import type { Store } from '../../store/store.ts';
import type { AdminContext } from './context.ts';

const usage = 'Say for whom and where: npm run admin -- explain --person EMAIL --cluster CLUSTER';
/** Servers have this long to answer, ms. */
const patience = 5_000;

/**
 * `explain --person EMAIL --cluster CLUSTER`: prints what somebody waited for in the last minutes, as each running server
 * remembers it. Throws StartError for whom or what is not there.
 */
export async function explainCommand({ config, say }: AdminContext, argv: readonly string[]): Promise<void> {
  const { person, cluster } = argumentsOf(argv);
  const store = await openStore(config);
  try {
    const userId = await personOf(store, person);
    const clusterId = await clusterOf(store, cluster);
    const asked = await store.db
      .select({ id: servers.id })
      .from(servers)
      .where(sql`${servers.seenAt} > now() - interval '20 seconds'`);
    const answers = await askServers(store, { userId, clusterId }, asked.length);
    say(`${person} on the cluster ${cluster} in the last 15 minutes:`);
    for (const [server, lines] of answers) {
      say('');
      say(`Server ${server}`);
      for (const line of lines) say(`  ${line}`);
    }
    const silent = asked.length - answers.size;
    if (asked.length === 0) say('No server runs, and only running servers remember it.');
    else if (silent > 0) say(`${silent} of ${asked.length} servers did not answer within 5 s.`);
  } finally {
    await store.close();
  }
}

function argumentsOf(argv: readonly string[]): { readonly person: string; readonly cluster: string } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { person: { type: 'string' }, cluster: { type: 'string' } },
    });
    const { person, cluster } = values;
    if (person === undefined || cluster === undefined) throw new StartError(usage);
    return { person: person.trim().toLowerCase(), cluster };
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(usage, { cause: error });
  }
}

async function personOf({ db }: Store, email: string): Promise<number> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (user === undefined) throw new StartError(`No account has the email address ${email} here.`);
  return user.id;
}

async function clusterOf({ db }: Store, named: string): Promise<number> {
  const all = await db.select({ id: clusters.id, name: clusters.name }).from(clusters);
  const found = all.filter(({ id, name }) => name === named || String(id) === named);
  const [one] = found;
  if (one === undefined) throw new StartError(`There is no cluster "${named}".`);
  if (found.length > 1)
    throw new StartError(
      `Several clusters have the name ${named}. Give the number of one: ${found.map(({ id }) => id).join(', ')}.`,
    );
  return one.id;
}

/** The lines of each server that answers, by its id. */
async function askServers(
  { channel }: Store,
  question: { readonly userId: number; readonly clusterId: number },
  expected: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ask = randomBytes(9).toString('base64url');
  const parts = new Map<string, (readonly string[])[]>();
  const whole = new Map<string, readonly string[]>();
  const all = Promise.withResolvers<void>();
  const stop = channel.on('explained', (answer) => {
    if (answer.ask !== ask) return;
    const had = parts.get(answer.server) ?? [];
    parts.set(answer.server, had);
    had[answer.part] = answer.lines;
    if (Object.keys(had).length < answer.parts) return;
    whole.set(answer.server, had.flat());
    if (whole.size >= expected) all.resolve();
  });
  const abort = new AbortController();
  try {
    if (expected > 0) {
      await channel.notify('explain', { ask, ...question });
      await Promise.race([all.promise, wait(patience, undefined, { signal: abort.signal })]);
    }
    return whole;
  } finally {
    abort.abort();
    stop();
  }
}
