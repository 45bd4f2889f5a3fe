import { Readable } from 'node:stream';
import { customKind } from '../../commands/kinds/custom.ts';
import { collectionPath, type ObjectAddress, objectPath, patchTypes } from '../../src/kube/change.ts';
import type { Status } from '../../src/kube/object.ts';
import type { CustomResourceDefinition } from '../../src/kube/custom.ts';
import { formatKindName } from '../../src/registry/kinds/resource-key.ts';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { createNode } from '../../src/playground/seeds/nodes.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { type Cause, diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ReadingWorld } from '../../src/server/diagnosis/reading-world.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { nameOf } from '../../src/server/diagnosis/world.ts';
import type { NamedObject } from '../../src/registry/kinds/refs.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../src/server/clusters/transport.ts';
import { send } from '../playground/client.ts';
import { brokenPlaces, readPlayground } from './healthy.ts';
import { readExpertSituations, recordedSituations, secondHandSituations } from './recorded.ts';
import { scoreRecorded } from './recorded-score.ts';
import { asked, judged, partsOf, perform, type Stage } from './score.ts';
import { situationTables } from './situations.ts';
import type { Situation } from './situations/situation.ts';

/** The API of a playground as the server reads clusters. */
function transportTo(playground: Playground): Pick<Transport, 'json' | 'stream'> {
  return {
    async json<T>({ method = 'GET', path, query = {}, body, contentType }: KubeRequest): Promise<T> {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      const { status, text } = await send(playground, {
        method,
        path: search.size === 0 ? path : `${path}?${search.toString()}`,
        headers: { 'content-type': contentType ?? 'application/json', accept: 'application/json' },
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

/** What the API says of the kinds of a version. */
interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** The API of a playground as the stage of a situation. */
function stageOf(transport: Pick<Transport, 'json'>, clock: ManualClock): Stage {
  const placeOf = async (named: NamedObject): Promise<ObjectAddress> => {
    const [version = '', group = ''] = named.apiVersion.split('/').reverse();
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const { resources } = await transport.json<ResourceList>({ path });
    const found = resources.find(({ kind, name }) => kind === named.kind && !name.includes('/'));
    if (found === undefined) throw new Error(`There is no ${named.kind} of ${named.apiVersion}.`);
    const namespace = found.namespaced ? (named.namespace ?? 'default') : undefined;
    return { group, version, plural: found.name, namespace, name: named.name };
  };
  return {
    async apply(object) {
      const place = await placeOf(nameOf(object));
      try {
        await transport.json({ path: objectPath(place) });
      } catch (error) {
        if (!(error instanceof ClusterProblem) || error.upstream.status !== 404) throw error;
        await transport.json({ method: 'POST', path: collectionPath(place, place.namespace), body: object });
        return;
      }
      for (const part of partsOf(object)) {
        const path = objectPath(place, part === 'status' ? 'status' : undefined);
        await transport.json({ method: 'PATCH', path, contentType: patchTypes.merge, body: object });
      }
    },
    remove: async (named) => transport.json({ method: 'DELETE', path: objectPath(await placeOf(named)) }),
    advance: (seconds) => clock.advance(seconds * 1000),
  };
}

/** Applies a situation to a new playground by its API, lets it break, and asks the rules by the same API. */
async function ask(situation: Situation): Promise<readonly Cause[]> {
  const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
  const playground = await startPlayground({ seed: 'none', controllers: true, clock, chance: 7 });
  try {
    for (let index = 0; index < 3; index += 1) {
      createNode(playground.world, { name: `node-${index + 1}`, zone: 'east-1a', cpu: 4, memory: 8 }, index);
    }
    clock.advance(1000);
    const transport = transportTo(playground);
    await perform(situation, stageOf(transport, clock));
    const world = new ReadingWorld({
      transport,
      cluster: 'playground',
      async findKind(name) {
        const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
        const { items } = await transport.json<{ items: CustomResourceDefinition[] }>({ path });
        const found = items.find(
          ({ spec }) => formatKindName({ group: spec?.group ?? '', word: spec?.names?.kind ?? '' }) === name,
        );
        const kind = found && customKind(found);
        if (kind === undefined)
          throw new ClusterProblem({ status: 404, title: 'No such kind.' }, { status: 404 });
        return kind;
      },
      mayView: () => true,
      mayReadLog: () => true,
      now: () => Math.floor(clock.now() / 1000),
      signal: new AbortController().signal,
    });
    const named = asked(situation.ask);
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

let isGood = true;
for (const { title, table } of situationTables) {
  const { named, wrong } = await scoreOf(title, table);
  isGood &&= wrong === 0 && named >= table.length - 2;
}
for (const [title, situations] of [
  ['Situations as a real Kubernetes wrote them', recordedSituations],
  ['Situations by a second hand that had not read the rules', secondHandSituations],
] as const) {
  process.stdout.write(`${title}\n`);
  const score = await scoreRecorded(situations, (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(
    `  The cause is named first in ${score.named} of ${score.broken}; ${score.untrue} have untrue sentences; ${score.alarms} of ${score.healthy} healthy ones are called bad.\n\n`,
  );
  for (const fault of score.faults) process.stdout.write(`  ${fault}\n`);
  isGood &&= score.untrue === 0 && score.alarms === 0 && score.faults.length === 0;
}
// A measure of what the rules do not know yet: a low figure is no fault, an untrue sentence is.
process.stdout.write('Situations of experts that no rule was written for\n');
const expert = await scoreRecorded(readExpertSituations(), (line) => process.stdout.write(`${line}\n`));
process.stdout.write(
  `  The cause is named first in ${expert.named} of ${expert.broken}; ${expert.untrue} have untrue sentences; ${expert.alarms} of ${expert.healthy} healthy ones are called bad.\n\n`,
);
isGood &&= expert.untrue === 0;
let unfounded = 0;
for (const seed of Object.keys(brokenPlaces)) {
  const { objects, wrong } = readPlayground(seed);
  unfounded += wrong.length;
  process.stdout.write(`The playground ${seed}: ${wrong.length} unfounded findings in ${objects} objects.\n`);
  for (const one of wrong) process.stdout.write(`  ${one}\n`);
}
process.exit(isGood && unfounded === 0 ? 0 : 1);
