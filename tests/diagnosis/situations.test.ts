import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ReadingWorld } from '../../src/server/diagnosis/reading-world.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import type { Lookup } from '../../src/server/diagnosis/world.ts';
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
      now: 0,
      signal: new AbortController().signal,
    });
    const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-0' };
    expect(world.log({ pod, container: 'main', previous: true })).toBeUndefined();
    expect(await world.fill()).toBe(false);
    expect(world.notes).toEqual(['Logs were looked at only where you may read them.']);
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
    'No node with the labels that the pod selects takes it: disk=nvme.',
  ]);
  expect(JSON.stringify(causes)).not.toContain('node-9');
});
