import { describe, expect, it } from 'vitest';
import { kindById } from '../../commands/kinds/index.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { endingMilestones, milestoneAt, type Milestone } from '../../src/registry/kinds/milestone.ts';
import { milestoneTools } from '../../src/server/live/source/milestone-tools.ts';
import { certificateFor } from '../../src/playground/seeds/tls.ts';

const now = Date.UTC(2026, 10, 26) / 1000;

/** The mark of what an object came to at a time; undefined while it is on its way. */
function markOf(kind: string, object: KubeObject & Record<string, unknown>, at = now): string | undefined {
  const found = kindById(kind)?.milestones?.of(object, milestoneTools) ?? [];
  return milestoneAt(found, at)?.mark;
}

const deployment = (status: object, { spec = {}, revision = '4', generation = 7 } = {}) => ({
  metadata: { name: 'web', generation, annotations: { 'deployment.kubernetes.io/revision': revision } },
  spec: { replicas: 3, ...spec },
  status: { observedGeneration: 7, replicas: 3, ...status },
});
const whole = { updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
const progressing = (reason: string) => ({
  conditions: [{ type: 'Progressing', status: reason.endsWith('Exceeded') ? 'False' : 'True', reason }],
});

describe('a Deployment', () => {
  it.each([
    ['has all its pods', deployment(whole), '4 done'],
    ['has not been seen by its controller', deployment(whole, { generation: 8 }), undefined],
    ['replaces pods', deployment({ ...whole, updatedReplicas: 1 }), undefined],
    [
      'waits for its new pods',
      deployment({ ...whole, availableReplicas: 1, ...progressing('ReplicaSetUpdated') }),
      undefined,
    ],
    ['loses a pod later', deployment({ ...whole, availableReplicas: 2 }), undefined],
    [
      'is past its deadline',
      deployment({ ...whole, ...progressing('ProgressDeadlineExceeded') }),
      '4 failed',
    ],
    ['is paused', deployment(whole, { spec: { paused: true } }), undefined],
    ['is scaled to zero', deployment({ replicas: 0 }, { spec: { replicas: 0 } }), '4 done'],
    ['rolls out again', deployment(whole, { revision: '5' }), '5 done'],
  ])('that %s', (_what, object, mark) => {
    expect(markOf('deployment', object)).toBe(mark);
  });
});

const set = (status: object, spec: object = {}) => ({
  metadata: { name: 'db', generation: 2 },
  spec: { replicas: 3, ...spec },
  status: {
    observedGeneration: 2,
    replicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    currentRevision: 'db-a',
    updateRevision: 'db-b',
    ...status,
  },
});

describe('a StatefulSet', () => {
  it.each([
    ['has replaced all pods', set({ updatedReplicas: 3 }), 'db-b done'],
    ['is half way', set({ updatedReplicas: 1 }), undefined],
    [
      'has replaced those of its partition',
      set({ updatedReplicas: 1 }, { updateStrategy: { rollingUpdate: { partition: 2 } } }),
      'db-b done',
    ],
    [
      'waits for a person to replace its pods',
      set({ updatedReplicas: 1 }, { updateStrategy: { type: 'OnDelete' } }),
      undefined,
    ],
    ['has never been changed', set({ currentRevision: 'db-b', updatedReplicas: 3 }), 'db-b done'],
  ])('that %s', (_what, object, mark) => {
    expect(markOf('statefulset', object)).toBe(mark);
  });
});

const agents = (status: object, spec: object = {}) => ({
  metadata: { name: 'agent', generation: 3 },
  spec,
  status: {
    observedGeneration: 3,
    desiredNumberScheduled: 2,
    currentNumberScheduled: 2,
    numberReady: 2,
    numberAvailable: 2,
    ...status,
  },
});

describe('a DaemonSet', () => {
  it.each([
    ['has replaced all pods', agents({ updatedNumberScheduled: 2 }), '3 done'],
    ['is half way', agents({ updatedNumberScheduled: 1 }), undefined],
    [
      'waits for a person to replace its pods',
      agents({ updatedNumberScheduled: 1 }, { updateStrategy: { type: 'OnDelete' } }),
      undefined,
    ],
    ['has no nodes', agents({ desiredNumberScheduled: 0, updatedNumberScheduled: 0 }), '3 done'],
  ])('that %s', (_what, object, mark) => {
    expect(markOf('daemonset', object)).toBe(mark);
  });
});

describe('a Helm release', () => {
  it.each([
    ['deployed', '4 deployed'],
    ['failed', '4 failed'],
    ['pending-upgrade', undefined],
    ['pending-install', undefined],
    ['pending-rollback', undefined],
    ['uninstalling', undefined],
    ['uninstalled', '4 uninstalled'],
    // Whatever a cluster writes stays out of what is told.
    ['<!channel>', '4 unknown'],
    ['constructor', '4 unknown'],
  ])('that is %s', (status, mark) => {
    expect(markOf('release', { metadata: { name: 'web' }, revision: 4, status })).toBe(mark);
  });
});

const day = 86_400;

/** What is told of something at a time, with what it has been told of before. */
const toldAt = (milestones: readonly Milestone[], at: number) => {
  const found = milestoneAt(milestones, at);
  return found && `${found.event} ${found.mark}`;
};

describe('what ends by itself', () => {
  it.each<[what: string, days: number, cases: (readonly [left: number, event: string, mark: string])[]]>([
    [
      'a year',
      365,
      [
        [15, 'renewed', 'good until'],
        [13, 'ending', 'ending'],
        [1.9, 'ending', 'ending soon'],
        [-1, 'ending', 'ended'],
      ],
    ],
    // A controller renews it after two thirds.
    [
      '90 days',
      90,
      [
        [31, 'renewed', 'good until'],
        [15, 'renewed', 'good until'],
        [13.9, 'ending', 'ending'],
      ],
    ],
    [
      'a day',
      1,
      [
        [0.3, 'renewed', 'good until'],
        [0.19, 'ending', 'ending'],
        [0.04, 'ending', 'ending soon'],
      ],
    ],
  ])('after %s is told of early, and once more', (_what, days, cases) => {
    const to = now;
    const milestones = endingMilestones('Certificate', { from: to - days * day, to });
    for (const [left, event, mark] of cases)
      expect(toldAt(milestones, to - left * day)).toBe(`certificate.${event} ${mark} ${to}`);
  });

  it('is a certificate of a Secret for TLS, of which nothing but its end is told', () => {
    const to = now + 10 * day;
    const { certificate, key } = certificateFor(['shop.example'], 'CA', (now - 100 * day) * 1000, to * 1000);
    const data = {
      'tls.crt': Buffer.from(certificate).toString('base64'),
      'tls.key': Buffer.from(key).toString('base64'),
    };
    const object = { metadata: { name: 'shop-tls' }, type: 'kubernetes.io/tls', data };
    expect(markOf('secret', object)).toBe(`ending ${to}`);
    const found = kindById('secret')?.milestones?.of(object, milestoneTools);
    expect(found?.map(({ state }) => state)).toEqual([
      'Certificate was renewed',
      'Certificate ends on 2026-12-06 00:00 UTC',
      'Certificate ends on 2026-12-06 00:00 UTC',
      'Certificate has ended',
    ]);
  });

  it.each([
    ['Opaque', { 'tls.crt': 'LS0t' }],
    ['kubernetes.io/tls', undefined],
    ['kubernetes.io/tls', { 'tls.crt': 7 }],
    ['kubernetes.io/tls', { 'tls.crt': Buffer.from('no certificate').toString('base64') }],
    ['kubernetes.io/tls', { 'tls.crt': 'not base64 at all' }],
  ])('is nothing in a Secret of type %s with %j', (type, data) => {
    expect(markOf('secret', { metadata: { name: 's' }, type, data })).toBeUndefined();
  });
});
