import { Readable } from 'node:stream';
import { parseAllDocuments } from 'yaml';
import { kindOfObject } from '../../commands/kinds/index.ts';
import { collectionPath } from '../../src/kube/change.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Status } from '../../src/kube/object.ts';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { createNode } from '../../src/playground/seeds/nodes.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { type Cause, diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ReadingWorld } from '../../src/server/diagnosis/reading-world.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../src/server/clusters/transport.ts';
import { send } from '../playground/client.ts';
import { brokenPlaces, readPlayground } from './healthy.ts';
import { asked, judged } from './score.ts';
import { situations } from './situations.ts';
import { laterSituations } from './situations/later.ts';
import { secondSituations } from './situations/second.ts';
import { thirdSituations } from './situations/third.ts';
import type { Situation } from './situations/situation.ts';

/** The API of a playground as the server reads clusters. */
function transportTo(playground: Playground): Pick<Transport, 'json' | 'stream'> {
  return {
    async json<T>({ method = 'GET', path, query = {}, body }: KubeRequest): Promise<T> {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      const { status, text } = await send(playground, {
        method,
        path: search.size === 0 ? path : `${path}?${search.toString()}`,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // A path that is not served is answered in plain text.
      if (status === 404 && !text.startsWith('{'))
        throw new ClusterProblem({ status, title: text }, { status });
      const answer: unknown = JSON.parse(text);
      if (status < 300) return answer as T;
      const { message, reason } = answer as Status;
      throw new ClusterProblem(
        { status, title: message ?? `Status ${status}` },
        { status, reason, body: answer as Status },
      );
    },
    async stream({ path, query = {} }) {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      const { status, text } = await send(playground, {
        method: 'GET',
        path: `${path}?${search.toString()}`,
      });
      if (status !== 200) throw new ClusterProblem({ status, title: text }, { status });
      const lines = text.split('\n').filter((line) => line !== '');
      return {
        lines: Readable.from(lines),
        each: (onLine) => {
          for (const line of lines) onLine(line);
          return Promise.resolve();
        },
        close: () => undefined,
      };
    },
  };
}

/** Applies a situation to a new playground by its API, lets it break, and asks the rules by the same API. */
async function ask({ manifests, after, ask: question }: Situation): Promise<readonly Cause[]> {
  const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
  const playground = await startPlayground({ seed: 'none', controllers: true, clock, chance: 7 });
  try {
    for (let index = 0; index < 3; index += 1) {
      createNode(playground.world, { name: `node-${index + 1}`, zone: 'east-1a', cpu: 4, memory: 8 }, index);
    }
    clock.advance(1000);
    const transport = transportTo(playground);
    for (const document of parseAllDocuments(manifests)) {
      const body = document.toJS() as KubeObject;
      const kind = body.kind === 'Node' ? undefined : kindOfObject(body.apiVersion ?? 'v1', body.kind ?? '');
      const place = kind ?? { group: '', version: 'v1', plural: 'nodes', scope: 'Cluster' };
      const namespace = place.scope === 'Cluster' ? undefined : (body.metadata?.namespace ?? 'default');
      await transport.json({ method: 'POST', path: collectionPath(place, namespace), body });
    }
    clock.advance(after * 1000);
    const world = new ReadingWorld({
      transport,
      cluster: 'playground',
      findKind: () =>
        Promise.reject(new ClusterProblem({ status: 404, title: 'No such kind.' }, { status: 404 })),
      mayView: () => true,
      mayReadLog: () => true,
      now: Math.floor(clock.now() / 1000),
      signal: new AbortController().signal,
    });
    const named = asked(question);
    const run = () => {
      const root = world.one(named);
      return root === null || root === undefined ? [] : diagnose(root, world, ruleBook);
    };
    let causes = run();
    while (await world.fill()) causes = run();
    for (const note of world.notes) process.stdout.write(`    ${note}\n`);
    return causes;
  } finally {
    await playground.close();
  }
}

/** Asks about each of some situations and prints what the rules say. */
async function scoreOf(title: string, table: readonly Situation[]) {
  const counts = { named: 0, missed: 0, wrong: 0 };
  process.stdout.write(`${title}\n`);
  for (const situation of table) {
    const causes = await ask(situation);
    const result = judged(causes, situation);
    counts[result] += 1;
    process.stdout.write(
      `  ${result.padEnd(7)}${situation.id.padEnd(26)}${causes[0]?.sentence ?? 'nothing'}\n`,
    );
    if (result !== 'named')
      for (const { rule, sentence } of causes) process.stdout.write(`    ${rule}: ${sentence}\n`);
  }
  process.stdout.write(
    `  The cause is named in ${counts.named} of ${table.length}, wrongly in ${counts.wrong}.\n\n`,
  );
  return counts;
}

const tables = [
  { title: 'Situations that the rules were written for', table: situations },
  { title: 'Situations that were written after the rules', table: laterSituations },
  { title: 'Situations that were written after the rules about logs', table: secondSituations },
  { title: 'Situations of areas that had the fewest', table: thirdSituations },
];
let isGood = true;
for (const { title, table } of tables) {
  const { named, wrong } = await scoreOf(title, table);
  isGood &&= wrong === 0 && named >= table.length - 2;
}
let unfounded = 0;
for (const seed of Object.keys(brokenPlaces)) {
  const { objects, wrong } = readPlayground(seed);
  unfounded += wrong.length;
  process.stdout.write(`The playground ${seed}: ${wrong.length} unfounded findings in ${objects} objects.\n`);
  for (const one of wrong) process.stdout.write(`  ${one}\n`);
}
process.exit(isGood && unfounded === 0 ? 0 : 1);
