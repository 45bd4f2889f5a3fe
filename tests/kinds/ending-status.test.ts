import { describe, expect, test } from 'vitest';
import { customKind } from '../../commands/kinds/custom.ts';
import { kinds } from '../../commands/kinds/index.ts';
import { job } from '../../commands/kinds/job.ts';
import { namespace } from '../../commands/kinds/namespace.ts';
import { node } from '../../commands/kinds/node.ts';
import { persistentvolume } from '../../commands/kinds/persistentvolume.ts';
import type { Job } from '../../src/kube/batch.ts';
import { heldDeletion } from '../../src/registry/kinds/held-deletion.ts';
import { statusAt } from '../../src/registry/kinds/kind.ts';
import { aroundOf, sampleOf } from './samples.ts';

const deletionTimestamp = '2026-11-28T14:00:00Z';
const deleted = Date.parse(deletionTimestamp) / 1000;

describe('an object that is being deleted', () => {
  test.each(kinds.filter(({ status }) => status !== undefined).map((kind) => [kind.id, kind] as const))(
    'says Terminating, whatever it reports: %s',
    (_, kind) => {
      const object = { metadata: { name: 'x', deletionTimestamp }, spec: {}, status: { phase: 'Released' } };
      expect(kind.status?.(object).label).toBe('Terminating');
      const cell = kind.columns.find(({ id }) => id === 'status');
      expect(cell?.value(object)).toEqual(['Terminating', 'info']);
    },
  );

  test('is amber once a finalizer holds it for longer than half a minute', () => {
    const volume = {
      metadata: {
        name: 'pv-term',
        deletionTimestamp,
        finalizers: ['external-provisioner.volume.kubernetes.io/finalizer'],
      },
      status: { phase: 'Released' },
    };
    const job1 = {
      metadata: {
        name: 'job-term',
        namespace: 'default',
        deletionTimestamp,
        finalizers: ['example.org/hold'],
      },
    };
    for (const [kind, object] of [
      [persistentvolume, volume],
      [job, job1],
    ] as const) {
      const status = kind.status?.(object);
      if (status === undefined) throw new Error('It has a status.');
      expect(statusAt(status, deleted + 29)).toMatchObject({ label: 'Terminating', tone: 'info' });
      expect(statusAt(status, deleted + 30)).toMatchObject({ label: 'Terminating', tone: 'warn' });
      expect(kind.attention?.(object)).toMatchObject({
        rule: 'object.deletion-held',
        settledAt: deleted + 30,
      });
    }
  });

  test.each(kinds.map((kind) => [kind.id, kind] as const))(
    'needs attention for what holds it, whatever was wrong with it before: %s',
    (_, kind) => {
      const { troubled } = sampleOf(kind);
      for (const [rule, sample] of troubled) {
        const object = {
          ...sample,
          metadata: { ...sample.metadata, deletionTimestamp, finalizers: ['example.org/hold'] },
        };
        const attention =
          kind.attention === undefined ? heldDeletion(object) : kind.attention(object, aroundOf(object));
        // A node that is not ready still explains its pods, and a namespace says best what is left in it.
        if (rule.startsWith('node.') || rule === 'namespace.stuck') continue;
        expect(attention, rule).toMatchObject({ rule: 'object.deletion-held', settledAt: deleted + 30 });
        if (kind.status === undefined) continue;
        const status = statusAt(kind.status(object), deleted + 30);
        if (status.label === 'Terminating') expect(status.tone, rule).toBe('warn');
        else expect(kind.id, rule).toBe('pod');
      }
    },
  );

  test('says so for custom kinds as well', () => {
    const kind = customKind({
      spec: {
        group: 'example.org',
        names: { kind: 'Kettle', plural: 'kettles' },
        versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} } }],
      },
    });
    expect(
      kind?.status?.({ metadata: { deletionTimestamp }, status: { phase: 'Failed' } } as object).label,
    ).toBe('Terminating');
  });
});

describe('a namespace that was deleted', () => {
  const discovery = {
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'True',
    reason: 'DiscoveryFailed',
    message:
      'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1',
  };
  const parsing = {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    status: 'True',
    reason: 'GroupVersionParsingFailed',
    message: 'unexpected GroupVersion string: a/b/c',
  };
  const content = {
    type: 'NamespaceDeletionContentFailure',
    status: 'False',
    message: 'All content deleted',
  };
  const remaining = {
    type: 'NamespaceContentRemaining',
    status: 'True',
    message: 'Some resources are remaining',
  };
  const finalizers = {
    type: 'NamespaceFinalizersRemaining',
    status: 'True',
    message: 'Some finalizers remain',
  };
  const later = { type: 'NamespaceSomethingNew', status: 'True', message: 'A condition of a later version' };
  const gone = (conditions: readonly object[], spec: object = { finalizers: ['kubernetes'] }) => ({
    metadata: { name: 'stuck', deletionTimestamp },
    spec,
    status: { phase: 'Terminating', conditions },
  });

  test.each([
    ['an API that cannot be asked', [discovery, content], discovery.message],
    ['a version that cannot be read', [parsing, content], parsing.message],
    ['finalizers in it', [remaining, finalizers], finalizers.message],
    ['a condition of another version of Kubernetes', [content, later], later.message],
    ['a failure rather than what it leaves', [remaining, discovery], discovery.message],
  ])('is stuck by %s', (_, conditions, detail) => {
    const object = gone(conditions);
    expect(namespace.attention?.(object)).toMatchObject({
      rule: 'namespace.stuck',
      detail,
      since: deleted,
      notBefore: deleted + 60,
    });
    const status = namespace.status?.(object);
    if (status === undefined) throw new Error('It has a status.');
    expect(statusAt(status, deleted + 59).tone).toBe('info');
    expect(statusAt(status, deleted + 60)).toMatchObject({ label: 'Terminating', tone: 'warn' });
  });

  test('is stuck after five minutes if nothing says why', () => {
    expect(namespace.attention?.(gone([]))).toMatchObject({
      title: 'The namespace is being deleted, but its finalizer kubernetes is still there.',
      notBefore: deleted + 300,
    });
    expect(namespace.attention?.(gone([content], {}))).toBeUndefined();
  });
});

describe('a job', () => {
  const failing: Job = {
    spec: { backoffLimit: 0 },
    status: {
      startTime: '2026-11-28T14:00:00Z',
      failed: 1,
      ready: 0,
      active: 0,
      conditions: [
        {
          type: 'FailureTarget',
          status: 'True',
          reason: 'BackoffLimitExceeded',
          message: 'm',
          lastTransitionTime: '2026-11-28T14:10:00Z',
        },
      ],
    },
  };
  const cell = (object: object, id: string) => job.columns.find((column) => column.id === id)?.value(object);

  test('that has failed for good is failing while its pods end, and is not suspended', () => {
    expect(job.status?.(failing)).toEqual({ label: 'FailureTarget', tone: 'bad' });
    expect(job.attention?.(failing)).toMatchObject({
      rule: 'job.failing',
      tone: 'bad',
      title: 'The job is failing: its pods failed more often than it may try again. Its pods are ending.',
      detail: 'm',
      since: Date.parse('2026-11-28T14:10:00Z') / 1000,
    });
    expect(job.attention?.(failing)?.action).toBeUndefined();
    expect(job.facts?.(failing)).toMatchObject({ isOver: true });
  });

  test('that met its success policy is about to be complete', () => {
    const conditions = [{ type: 'SuccessCriteriaMet', status: 'True', reason: 'SuccessPolicy' }];
    expect(job.status?.({ status: { active: 1, conditions } } as object)).toEqual({
      label: 'SuccessCriteriaMet',
      tone: 'info',
    });
  });

  test.each([
    [{ backoffLimit: 0 }, '2 of its pods failed so far; it does not try again.'],
    [{ backoffLimit: 1 }, '2 of its pods failed so far; it tries again up to 1 time.'],
    [{}, '2 of its pods failed so far; it tries again up to 6 times.'],
    [
      { backoffLimit: 2_147_483_647, backoffLimitPerIndex: 3 },
      '2 of its pods failed so far; it tries again up to 3 times for each index.',
    ],
  ])('of which pods failed says how often it tries again: %j', (spec, title) =>
    expect(job.attention?.({ spec, status: { failed: 2, active: 1 } } as object)?.title).toBe(title),
  );

  test('has a duration from its start on', () => {
    const from = Date.parse('2026-11-28T14:00:00Z') / 1000;
    expect(cell(failing, 'duration')).toEqual([from, null]);
    const completionTime = '2026-11-28T14:01:30Z';
    const done = { status: { startTime: '2026-11-28T14:00:00Z', completionTime } };
    expect(cell(done, 'duration')).toEqual([from, from + 90]);
    expect(cell({}, 'duration')).toBeNull();
  });
});

test('a node that reported nothing is Unknown', () => {
  expect(node.status?.({})).toEqual({ label: 'Unknown', tone: 'bad' });
  expect(node.status?.({ status: { conditions: [] }, spec: { unschedulable: true } } as object).label).toBe(
    'Unknown, cordoned',
  );
  expect(node.attention?.({})?.title).toBe('The node has not reported whether it is ready.');
  const notReady = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
  expect(node.status?.(notReady as object).label).toBe('NotReady');
});

test.each([
  // Of the node problem detector, Azure, the node monitoring agent of EKS, and k3s.
  ['KernelDeadlock', 'True', 'KernelDeadlock', 'The node reports KernelDeadlock.'],
  ['ReadonlyFilesystem', 'True', 'ReadonlyFilesystem', 'The node reports ReadonlyFilesystem.'],
  ['KubeletProblem', 'True', 'KubeletProblem', 'The node reports KubeletProblem.'],
  ['NetworkingReady', 'False', 'Not NetworkingReady', 'The node reports no NetworkingReady.'],
  ['KernelDeadlock', 'False', 'Ready', undefined],
  ['KernelDeadlock', 'Unknown', 'Ready', undefined],
  ['NetworkingReady', 'True', 'Ready', undefined],
  ['EtcdIsVoter', 'True', 'Ready', undefined],
  ['ConfigOK', 'True', 'Ready', undefined],
] as const)('a node whose condition %s is %s is %s', (type, value, label, title) => {
  const conditions = [
    { type, status: value, message: 'm' },
    { type: 'DiskPressure', status: 'False' },
    { type: 'Ready', status: 'True' },
  ];
  const object = { status: { conditions } } as object;
  expect(node.status?.(object).label).toBe(label);
  expect(node.attention?.(object)?.title).toBe(title);
  const pressed = { status: { conditions: [...conditions, { type: 'MemoryPressure', status: 'True' }] } };
  expect(node.status?.(pressed as object).label).toBe('MemoryPressure');
});
