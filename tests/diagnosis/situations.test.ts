import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ReadingWorld } from '../../src/server/diagnosis/reading-world.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import type { Lookup, World } from '../../src/server/diagnosis/world.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Joined } from '../../src/registry/kinds/kind-action.ts';
import type { AnyKind } from '../../src/registry/kinds/kind.ts';
import { refusalWith } from '../../src/server/actions/run.ts';
import { broken } from './broken.ts';
import { judged } from './score.ts';
import { situationTables } from './situations.ts';

const situations = situationTables.flatMap(({ table }) => table);

describe('the rules name the cause of each broken situation first, and nothing that is wrong', () => {
  test.each(situations)('$id', async (situation) => {
    const { world, root } = await broken(situation);
    const causes = diagnose(root, world, ruleBook);
    const said = causes.map(
      ({ rule, object, sentence }) => `${rule} ${object.kind} ${object.name}: ${sentence}`,
    );
    expect(judged(causes, situation), said.join('\n')).toBe('named');
  });
});

describe('what the rules offer can be done, or says why not', () => {
  test.each(situations)('$id', async (situation) => {
    const { world, root } = await broken(situation);
    for (const { rule, sentence, actions } of diagnose(root, world, ruleBook)) {
      for (const { id, on } of actions) {
        const kind = world.kindOf(on);
        const action = kind?.actions.find((one) => one.id === id);
        const object = world.one(on);
        const what = `${id} of ${rule}: ${sentence}`;
        if (kind === undefined || action === undefined || !object) throw new Error(`${what} does not exist.`);
        const facts = kind.facts?.(object) ?? {};
        const target = { facts, joined: joinedIn(world, kind, object) };
        expect(action.applies?.(target) ?? true, what).toBe(true);
        const refusal = refusalWith(action, kind, object, target.joined);
        // An action that undoes a change helps only where there was one; all others can be done in each situation.
        if (id.endsWith('.rollback')) expect(refusal ?? 'It can be done.', what).toMatch(/^[A-Z].*\.$/);
        else expect(refusal, what).toBeUndefined();
      }
    }
  });

  test('a container without enough memory gets another limit, what is suspended goes on, a full quota is edited, and an image set', async () => {
    const causesOf = async (id: string) => {
      const situation = situations.find((one) => one.id === id);
      if (situation === undefined) throw new Error(`There is no situation ${id}.`);
      const { world, root } = await broken(situation);
      return diagnose(root, world, ruleBook);
    };
    const offered = async (id: string) =>
      (await causesOf(id)).flatMap(({ actions }) => actions.map((one) => one.id));
    expect(await offered('out-of-memory')).toContain('deployment.setMemory');
    expect(await offered('cronjob-suspended')).toContain('cronjob.resume');
    expect(await offered('image-tag')).toContain('deployment.setImage');
    const edited = (await causesOf('quota-pods')).flatMap(({ edits }) => edits.map(({ kind }) => kind));
    expect(edited).toEqual(['ResourceQuota']);
  });
});

/** What the server joins to an object before it judges its actions, as far as these situations have it. */
function joinedIn(world: World, kind: AnyKind, { metadata = {} }: KubeObject): Joined {
  if (kind.revisions !== 'ReplicaSet') return {};
  const { namespace, uid } = metadata;
  const all = world.all({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    ...(namespace === undefined ? {} : { namespace }),
  });
  const owned = all?.filter((one) => one.metadata?.ownerReferences?.some((owner) => owner.uid === uid));
  return owned === undefined ? {} : { revisions: Math.max(owned.length - 1, 0) };
}

describe('without the permission to read logs', () => {
  const byLogs = situations.filter(({ rule }) => rule.startsWith('pod.log-'));

  test.each(byLogs)('the end of the program is told, and no line is quoted: $id', async (situation) => {
    const { world, root } = await broken(situation);
    const causes = diagnose(root, { ...world, log: () => undefined }, ruleBook);
    const rules = causes.map(({ rule }) => rule);
    expect(rules).toContain('pod.crash');
    expect(rules.filter((rule) => rule.startsWith('pod.log-'))).toEqual([]);
    const proofs = causes.flatMap(({ evidence }) => evidence);
    expect(proofs.flatMap((proof) => (proof.type === 'log' ? [proof.line] : [undefined]))).toEqual(
      proofs.map(() => undefined),
    );
    expect(JSON.stringify(causes)).not.toMatch(/10\.96\.44\.12|ECONNREFUSED/);
  });

  test('no log is asked for, and a note says so', async () => {
    const refuse = () => Promise.reject(new Error('Nothing may be read.'));
    const world = new ReadingWorld({
      transport: { json: refuse, stream: refuse },
      cluster: 'playground',
      findKind: refuse,
      mayView: () => true,
      mayReadLog: () => false,
      now: () => 0,
      signal: new AbortController().signal,
    });
    const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-0' };
    expect(world.log({ pod, container: 'main', previous: true })).toBeUndefined();
    expect(await world.fill()).toBe(false);
    expect(world.notes).toEqual(['Logs were examined only where you may read them.']);
  });
});

test('without the permission to view nodes nothing is said of the labels that they have', async () => {
  const cordoned = situations.find(({ id }) => id === 'node-cordoned');
  if (cordoned === undefined) throw new Error('There is no such situation.');
  const { world, root } = await broken(cordoned);
  const isOfNodes = ({ kind }: Lookup) => kind === 'Node';
  const causes = diagnose(
    root,
    { ...world, all: (lookup) => (isOfNodes(lookup) ? undefined : world.all(lookup)) },
    ruleBook,
  );
  expect(causes.map(({ sentence }) => sentence)).toEqual([
    'No node with the labels that the pod selects accepts the pod: disk=nvme.',
  ]);
  expect(JSON.stringify(causes)).not.toContain('node-9');
});
