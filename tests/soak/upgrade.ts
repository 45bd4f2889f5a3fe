import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort, startCluster } from '../e2e/product.ts';
import { startRoundRobin } from '../round-robin.ts';
import { startReceiver } from '../server/webhooks/receiver.ts';
import { createDatabase, startTestPostgres } from '../test-postgres.ts';
import { markdownOf, tableOf } from './claims.ts';
import { buildPageOf, checkOutEarlier } from './earlier-version.ts';
import type { Ends } from './installation.ts';
import { Replacement } from './replacement.ts';
import { SoakServer } from './servers.ts';
import { endAll, finish, signalOfInterruption, Waits } from './waits.ts';

// Replaces version N by this one while people work: `npm run upgrade-test`, or with a commit as version N.

const root = resolve(import.meta.dirname, '../..');
/** Where the summary and the output of both versions go. */
const folder = resolve('upgrade-results');
const owner = { email: 'upgrade@example.org', password: 'correct horse battery staple' };

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const interrupted = signalOfInterruption(say);
const waits = new Waits(interrupted);

/** Starts everything and gives the replacement, which has not begun. */
async function prepare(ends: Ends): Promise<{ replacement: Replacement; servers: readonly SoakServer[] }> {
  const checkout = checkOutEarlier(interrupted, process.argv[2]);
  ends.push(async () => (await checkout.catch(() => undefined))?.remove());
  const version = await waits.within('version N is checked out', checkout, 900_000);
  say(`Version N is ${version.commit.slice(0, 8)}.`);
  // By itself and beforehand: on a busy machine it takes longer than a server may take to start.
  for (const [which, at] of [
    ['version N', version.folder],
    ['this version', root],
  ] as const)
    await waits.within(`the page of ${which} is built`, buildPageOf(at, interrupted), 600_000);
  const starting = startTestPostgres();
  ends.push(async () => await (await starting).stop());
  const postgres = await waits.within('PostgreSQL has started', starting, 120_000);
  // Without a table: version N makes its own schema, and the next one migrates it.
  const database = await createDatabase(postgres.place, 'nothing');
  const cluster = await waits.within(
    'the playground has started',
    startCluster(['--seed', 'bulk:40', '--controllers', 'off'], true),
    120_000,
  );
  ends.push(() => cluster.stop());
  const receiver = await startReceiver();
  ends.push(() => receiver.close());
  const roundRobin = await startRoundRobin();
  ends.push(() => roundRobin.close());
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    WHEELHOUSE_URL: roundRobin.url,
    WHEELHOUSE_SECRET_KEY: `upgrade:${randomBytes(32).toString('base64')}`,
    WHEELHOUSE_BILLING: 'off',
    WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8',
    WHEELHOUSE_SETUP_EMAIL: owner.email,
    WHEELHOUSE_SETUP_PASSWORD: owner.password,
    WHEELHOUSE_WEBHOOK_ALLOW_PORTS: String(receiver.port),
    WHEELHOUSE_WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  };
  const earlier = new SoakServer(await freePort(), env, version.folder);
  const next = new SoakServer(await freePort(), env);
  ends.push(() => Promise.all([earlier.kill(), next.kill()]));
  const changePod = async (reason: string): Promise<unknown> => {
    const [pod = ''] = await cluster.podNames('team-01', 'service-0001');
    return await cluster.call('PATCH', `/api/v1/namespaces/team-01/pods/${pod}/status`, {
      status: { reason },
    });
  };
  const { kubeconfig } = cluster;
  const parts = { earlier, next, roundRobin, receiver, kubeconfig, owner, changePod, waits, say };
  const replacement = new Replacement(parts);
  ends.push(() => replacement.close());
  return { replacement, servers: [earlier, next] };
}

async function upgrade(): Promise<boolean> {
  const ends: Ends = [];
  try {
    const { replacement, servers } = await prepare(ends);
    try {
      const claims = await replacement.run();
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'summary.md'), `${markdownOf(claims)}\n`);
      say(`\n${tableOf(claims)}\n\nIn ${folder}: summary.md and what both servers printed.`);
      return claims.every(({ isKept }) => isKept !== false);
    } finally {
      await mkdir(folder, { recursive: true });
      for (const [index, { output }] of servers.entries())
        await writeFile(join(folder, index === 0 ? 'earlier.log' : 'next.log'), output);
    }
  } finally {
    await endAll(ends, say);
  }
}

await finish(upgrade, interrupted, `What both servers printed is in ${folder}.\n`);
