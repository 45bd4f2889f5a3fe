import { describe, expect, test } from 'vitest';
import { servedKind } from '../../commands/kinds/custom.ts';
import { kindOfObject } from '../../commands/kinds/index.ts';
import type { KubeEvent } from '../../src/kube/infrastructure.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { refKey } from '../../src/registry/kinds/refs.ts';
import { diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { nameOf, type World } from '../../src/server/diagnosis/world.ts';
import { faultsOf } from './conformance.ts';

const now = Date.parse('2026-03-01T08:00:00Z') / 1000;
const ago = (seconds: number) => new Date((now - seconds) * 1000).toISOString();

function worldOf(objects: readonly KubeObject[]): World {
  const byKey = new Map(objects.map((object) => [refKey(nameOf(object)), object]));
  return {
    now,
    one: (named) => byKey.get(refKey(named)) ?? null,
    all: ({ kind, about }) =>
      objects.filter(
        (one) =>
          one.kind === kind && (about === undefined || (one as KubeEvent).involvedObject?.uid === about),
      ),
    facts: () => null,
    log: () => undefined,
    kindOf: ({ apiVersion, kind }) =>
      kindOfObject(apiVersion, kind) ??
      servedKind(
        { group: 'example.org', version: 'v1', plural: 'things', kind: 'Thing', scope: 'Namespaced' },
        [],
        true,
      ),
  };
}

const object = (apiVersion: string, kind: string, spec: object, status: object): KubeObject =>
  ({
    apiVersion,
    kind,
    metadata: {
      name: 'one',
      ...(kind === 'Node' ? {} : { namespace: 'shop' }),
      uid: 'uid-one',
      generation: 1,
      creationTimestamp: ago(7200),
    },
    spec,
    status,
  }) as KubeObject;

const condition = (type: string, status: string, more: object = {}) => ({
  type,
  status,
  lastTransitionTime: ago(3600),
  ...more,
});
const selector = { matchLabels: { app: 'one' } };
const podSpec = { nodeName: 'node-1', containers: [{ name: 'main', image: 'example/one:1' }] };
const podOf = (phase: string, state: object, isReady: boolean) =>
  object('v1', 'Pod', podSpec, {
    phase,
    startTime: ago(3600),
    conditions: [
      condition('PodScheduled', 'True'),
      condition('Ready', isReady ? 'True' : 'False', {
        message: 'containers with unready status: [main]',
      }),
    ],
    containerStatuses: [{ name: 'main', ready: isReady, restartCount: 0, state }],
  });
const runningSince = { running: { startedAt: ago(3500) } };

/** Objects in which something is wrong of which no rule knows the words. */
const troubled: readonly (readonly [string, KubeObject])[] = [
  ['a pod that does not start', podOf('Pending', { waiting: { reason: 'ContainerCreating' } }, false)],
  ['a pod that is not ready', podOf('Running', runningSince, false)],
  ['a pod in which nothing is wrong', podOf('Running', runningSince, true)],
  ['a node', object('v1', 'Node', {}, { conditions: [condition('Ready', 'True')] })],
  [
    'a Deployment without progress',
    object(
      'apps/v1',
      'Deployment',
      { replicas: 1, selector },
      {
        observedGeneration: 1,
        unavailableReplicas: 1,
        conditions: [
          condition('Progressing', 'False', {
            reason: 'ProgressDeadlineExceeded',
            message: 'ReplicaSet "one-1" has timed out progressing.',
          }),
        ],
      },
    ),
  ],
  [
    'a StatefulSet without its pods',
    object('apps/v1', 'StatefulSet', { replicas: 2, selector }, { observedGeneration: 1, replicas: 1 }),
  ],
  ['a Job without pods', object('batch/v1', 'Job', { completions: 1 }, {})],
  ['an object whose operator has written no status', object('example.org/v1', 'Thing', {}, {})],
  [
    'an object whose operator only says that it failed',
    object(
      'example.org/v1',
      'Thing',
      {},
      {
        conditions: [condition('Ready', 'False', { reason: 'Failed', message: 'reconciliation failed' })],
      },
    ),
  ],
];

const message = 'the lattice of zone b refuses the ninth spindle';
const warningAbout = (about: KubeObject): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'one.1', namespace: 'shop' },
    type: 'Warning',
    reason: 'SpindleRefused',
    message,
    count: 7,
    firstTimestamp: ago(1800),
    lastTimestamp: ago(60),
    involvedObject: { kind: about.kind, name: 'one', uid: 'uid-one' },
  }) as KubeObject;

describe('where no rule knows better, the own words of a warning are the finding', () => {
  test.each(troubled)('%s', (_title, root) => {
    const world = worldOf([root, warningAbout(root)]);
    const [first] = diagnose(root, world, ruleBook);
    expect(first?.sentence).toContain(message);
    expect(first?.evidence).toContainEqual(expect.objectContaining({ type: 'event', message }));
    expect(first === undefined ? [] : faultsOf(first, world)).toEqual([]);
  });

  test('a single warning about an object that is well is none', () => {
    const root = podOf('Running', runningSince, true);
    const once = { ...warningAbout(root), count: 1 } as KubeObject;
    expect(diagnose(root, worldOf([root, once]), ruleBook)).toEqual([]);
  });

  test('what a condition says goes with the title that its kind gives to it', () => {
    const root = object(
      'v1',
      'Node',
      {},
      {
        conditions: [
          condition('Ready', 'True'),
          condition('KernelDeadlock', 'True', {
            message: 'task docker:1 is blocked for more than 120 seconds',
          }),
        ],
      },
    );
    const [first] = diagnose(root, worldOf([root]), ruleBook);
    expect(first?.sentence).toBe(
      'The node reports KernelDeadlock: task docker:1 is blocked for more than 120 seconds.',
    );
  });
});
