import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainCommand } from '../../../src/server/boot/admin/explain.ts';
import { explanationOf } from '../../../src/server/boot/explanation.ts';
import { RecentWaits, recentTime, type RecentWait } from '../../../src/server/kit/recent.ts';
import { servers } from '../../../src/server/store/schema/servers.ts';
import { startConsole, type TestConsole } from '../harness.ts';

const wait = (more: Partial<RecentWait>): RecentWait => ({
  at: Date.UTC(2026, 10, 30, 12),
  sort: 'call',
  userId: 1,
  clusterId: 7,
  what: 'GET /api/x',
  outcome: '200',
  ms: 10,
  ...more,
});

describe('what a server remembers', () => {
  it('of a person and a cluster are theirs there and anywhere, and what everybody asked of the cluster, for 15 minutes', () => {
    const recent = new RecentWaits();
    const all = [
      wait({ what: 'theirs' }),
      wait({ what: 'theirs of no cluster', clusterId: null }),
      wait({ what: 'theirs elsewhere', clusterId: 8 }),
      wait({ what: 'of another person', userId: 2 }),
      wait({ what: 'to the cluster', sort: 'request', userId: 2 }),
      wait({ what: 'to another cluster', sort: 'request', clusterId: 8 }),
    ];
    for (const one of all) recent.add(one);
    const names = (now: number) => recent.of(1, 7, now).map(({ what }) => what);
    expect(names(wait({}).at + recentTime)).toEqual(['theirs', 'theirs of no cluster', 'to the cluster']);
    expect(names(wait({}).at + recentTime + 1)).toEqual([]);
  });

  it('is bounded: the newest 20,000 stay', () => {
    const recent = new RecentWaits();
    for (let count = 0; count < 20_001; count += 1) recent.add(wait({ at: count }));
    const kept = recent.of(1, 7, 20_001);
    expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([20_000, 1, 20_000]);
  });
});

it('an explanation says how often, how long as a rule and at most, what failed, and what the cluster does now', () => {
  const waits = [
    ...[10, 20, 5_012].map((ms) => wait({ ms })),
    wait({ outcome: '503', ms: 30 }),
    wait({ sort: 'list', what: 'pod', outcome: 'rows', ms: 120 }),
    wait({ sort: 'request', what: 'list pods', outcome: 'no answer', ms: 15_000 }),
  ];
  expect(explanationOf({ waits, silence: 42.4, waiting: 2 })).toEqual([
    'Calls:',
    '  GET /api/x: 4 (200 3, 503 1); as a rule 30 ms, at most 5.0 s at 12:00:00 UTC',
    'Lists, until their first rows:',
    '  pod: 1 (rows 1); as a rule 120 ms, at most 120 ms at 12:00:00 UTC',
    'Requests to the cluster, of everybody:',
    '  list pods: 1 (no answer 1); as a rule 15.0 s, at most 15.0 s at 12:00:00 UTC',
    'The cluster has sent nothing for 42 s.',
    '2 statements wait for a connection to the database now.',
  ]);
  expect(explanationOf({ waits: [], silence: undefined, waiting: 0 })).toEqual([
    'Nobody asked this server for anything about it.',
  ]);
});

describe('npm run admin -- explain', () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.close());

  const explain = async (...argv: readonly string[]) => {
    const said: string[] = [];
    await explainCommand({ config: console.services.config, say: (line) => said.push(line) }, argv);
    return said;
  };

  it('prints what the running servers answer, by the name of the cluster or its number', async () => {
    const companyId = await console.company();
    const clusterId = await console.cluster(companyId, 'slow-one');
    const person = await console.person({ companyId, isOwner: true });
    await person.client.send('GET', `/api/clusters/${clusterId}/counts`);
    // A server is asked once it has given its first sign of life.
    await expect.poll(() => console.store.db.$count(servers)).toBeGreaterThan(0);
    for (const cluster of ['slow-one', String(clusterId)]) {
      const said = await explain('--person', person.email.toUpperCase(), '--cluster', cluster);
      expect(said[0]).toBe(`${person.email} on the cluster ${cluster} in the last 15 minutes:`);
      expect(said).toContainEqual(
        expect.stringMatching(/^ {4}GET \/api\/clusters\/:clusterId\/counts: \d+ \(.*\); as a rule /),
      );
    }
  });

  it('says so for whom or what is not there, and what to write', async () => {
    const { email } = await console.person({ companyId: null });
    await expect(explain('--person', 'nobody@example.org', '--cluster', 'x')).rejects.toThrow(
      'No account has the email address nobody@example.org here.',
    );
    await expect(explain('--person', email, '--cluster', 'no-such')).rejects.toThrow(
      'There is no cluster "no-such".',
    );
    for (const argv of [[], ['--person', email], ['--cluster', 'x', '--colour', 'red'], [email]])
      await expect(explain(...argv)).rejects.toThrow('--person EMAIL --cluster CLUSTER');
  });
});
