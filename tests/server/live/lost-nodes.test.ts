import { describe, expect, test } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { attentionLinesOf, type Trouble } from '../../../src/server/live/dashboard/attention-lines.ts';
import { foldUnderNodes, type PodOnNode } from '../../../src/server/live/dashboard/lost-nodes.ts';

/** Trouble of an object by a rule, shown at another object if it belongs to one. */
function trouble(on: string, rule: string, at = on, attention: Partial<Trouble['attention']> = {}): Trouble {
  const read = (text: string) => {
    const [kind = '', name = ''] = text.split('/');
    const namespace = kind === 'node' ? '' : 'shop';
    return { kind, namespace, name, uid: `uid-${text}` };
  };
  const [object, place] = [read(on), read(at)];
  const kind = kindById(object.kind);
  if (kind === undefined) throw new Error(on);
  const ref = {
    kind: place.kind,
    ...(place.namespace === '' ? {} : { namespace: 'shop' }),
    name: place.name,
  };
  return {
    kind,
    entry: object,
    attention: { rule, tone: 'bad', title: `${on} is in trouble.`, ...attention },
    place: { ref, uid: place.uid, kind: kindById(place.kind) },
  };
}
const onNode = (node: string, ...pods: readonly Trouble[]): PodOnNode[] =>
  pods.map((one) => ({ node, trouble: one }));
const told = (troubles: readonly Trouble[]) =>
  troubles.map(({ entry, attention }) => `${entry.name}: ${attention.rule}`);

const dead = trouble('node/n1', 'node.not-ready');
const lost = trouble('pod/web-1', 'pod.node-unready', 'deployment/web', { tone: 'warn' });
const unavailable = trouble('deployment/web', 'deployment.unavailable');
const waitingForEnd = trouble('pod/web-2', 'pod.not-ending', 'deployment/web', { notBefore: 60 });

const notStarting = trouble('pod/web-4', 'pod.not-starting', 'deployment/web', { notBefore: 60 });

describe('a node that is not ready explains', () => {
  test.each<[string, readonly Trouble[], readonly PodOnNode[], readonly string[]]>([
    [
      'its pods, and that their workload has too few',
      [dead, lost, unavailable],
      onNode('n1', lost),
      ['n1: node.not-ready'],
    ],
    [
      'a workload whose pods are not due yet',
      [dead, unavailable],
      onNode('n1', lost),
      ['n1: node.not-ready'],
    ],
    ['a pod that does not end', [dead, waitingForEnd], onNode('n1', waitingForEnd), ['n1: node.not-ready']],
    [
      'nothing of a pod that may still end in time',
      [dead, unavailable],
      onNode('n1', waitingForEnd),
      ['n1: node.not-ready', 'web: deployment.unavailable'],
    ],
    [
      'a pod that it does not start, from the first second',
      [dead, unavailable],
      onNode('n1', notStarting),
      ['n1: node.not-ready'],
    ],
    [
      'nothing on other nodes',
      [dead, lost, unavailable],
      onNode('n2', lost),
      ['n1: node.not-ready', 'web-1: pod.node-unready', 'web: deployment.unavailable'],
    ],
    [
      'nothing while it is not told of',
      [lost, unavailable],
      onNode('n1', lost),
      ['web-1: pod.node-unready', 'web: deployment.unavailable'],
    ],
    [
      'no crash of its pods, and no rollout that is stuck',
      [dead, lost, trouble('deployment/web', 'deployment.rollout-stuck')],
      onNode('n1', lost, trouble('pod/web-3', 'pod.crash-loop', 'deployment/web')),
      ['n1: node.not-ready', 'web: deployment.rollout-stuck'],
    ],
    [
      'no workload without pods on it',
      [dead, trouble('deployment/api', 'deployment.unavailable')],
      onNode('n1', lost),
      ['n1: node.not-ready', 'api: deployment.unavailable'],
    ],
  ])('%s', (_what, troubles, pods, expected) => {
    expect(told(foldUnderNodes(troubles, pods).troubles)).toEqual(expected);
  });

  test('each workload once, with its kind, and pods without one by themselves', () => {
    const pods = [
      lost,
      trouble('pod/web-9', 'pod.node-unready', 'deployment/web'),
      trouble('pod/api-1', 'pod.node-lost', 'deployment/api'),
      trouble('pod/db-0', 'pod.node-unready', 'statefulset/db'),
      trouble('pod/alone', 'pod.node-unready'),
    ];
    const { affected } = foldUnderNodes([dead], onNode('n1', ...pods));
    expect([...affected.keys()]).toEqual(['n1']);
    expect(affected.get('n1')).toMatchObject({
      count: 4,
      kinds: [
        { kind: 'deployment', count: 2 },
        { kind: 'pod', count: 1 },
        { kind: 'statefulset', count: 1 },
      ],
    });
    expect(affected.get('n1')?.objects.map(({ name }) => name)).toEqual(['alone', 'api', 'db', 'web']);
  });
});

test('nodes are above what is newer and as bad', () => {
  const [since, now] = ['2026-03-01T10:00:00Z', Date.parse('2026-03-01T11:00:00Z') / 1000];
  const node = (name: string, conditions: readonly object[]) => {
    const found = kindById('node')?.attention?.({ status: { conditions } } as KubeObject);
    return trouble(`node/${name}`, found?.rule ?? '', `node/${name}`, found);
  };
  const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: since });
  const crash = trouble('pod/a', 'pod.crash-loop', 'pod/a', { since: now });
  const unready = trouble('pod/b', 'pod.unready', 'pod/b', { since: now, tone: 'warn' });
  const dead = node('n1', [condition('Ready', 'Unknown')]);
  const pressed = node('n2', [condition('Ready', 'True'), condition('DiskPressure', 'True')]);
  const lines = attentionLinesOf([unready, crash, pressed, dead], () => true);
  expect(lines.map(({ on }) => on.name)).toEqual(['n1', 'a', 'n2', 'b']);
});
