import { describe, expect, it, test } from 'vitest';
import type { Pod } from '../../src/kube/core.ts';
import {
  type DisruptionBudget,
  type EvictedPod,
  evictedPod,
  judgeEvictions,
} from '../../src/kube/disruption.ts';
import type { LabelSelector } from '../../src/kube/selector.ts';

const pod = (more: Partial<EvictedPod> = {}): EvictedPod => ({
  namespace: 'shop',
  labels: { app: 'web', tier: 'front' },
  isExempt: false,
  isReady: true,
  ...more,
});
const budget = (
  selector: LabelSelector | undefined,
  status: DisruptionBudget['status'] = { disruptionsAllowed: 0, observedGeneration: 1 },
  more: { namespace?: string; policy?: string } = {},
): DisruptionBudget => ({
  metadata: { name: 'web', namespace: more.namespace ?? 'shop', generation: 1 },
  spec: {
    ...(selector === undefined ? {} : { selector }),
    ...(more.policy === undefined ? {} : { unhealthyPodEvictionPolicy: more.policy }),
  },
  status,
});
const judge = (pods: readonly EvictedPod[], ...budgets: readonly DisruptionBudget[]) =>
  judgeEvictions(pods, budgets).map(({ type }) => type);
const web: LabelSelector = { matchLabels: { app: 'web' } };

test.each<[string, boolean, LabelSelector | undefined, string?]>([
  ['no selector', false, undefined],
  ['an empty selector', true, {}],
  ['its labels', true, web],
  ['its labels in another namespace', false, web, 'other'],
  ['another value', false, { matchLabels: { app: 'api' } }],
  ['one label of two', false, { matchLabels: { app: 'web', track: 'canary' } }],
  [
    'a value among others',
    true,
    { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'web'] }] },
  ],
  [
    'a value that is ruled out',
    false,
    { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] },
  ],
  ['a label that it has', true, { matchExpressions: [{ key: 'tier', operator: 'Exists' }] }],
  ['a label that it must not have', false, { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }],
  ['a label that it lacks', true, { matchExpressions: [{ key: 'track', operator: 'DoesNotExist' }] }],
])('a budget with %s prevents an eviction: %s', (_what, isHeld, selector, namespace) => {
  const found = judge([pod()], budget(selector, undefined, namespace === undefined ? {} : { namespace }));
  expect(found).toEqual([isHeld ? 'held' : 'goes']);
});

describe('the verdict on an eviction', () => {
  it('allows in order as many pods of a budget as the budget allows', () => {
    const two = budget(web, { disruptionsAllowed: 2, observedGeneration: 1 });
    const other = pod({ labels: { app: 'api' } });
    expect(judge([pod(), other, pod(), pod(), pod()], two)).toEqual([
      'goes',
      'goes',
      'goes',
      'queued',
      'queued',
    ]);
  });

  it('is a refusal if several budgets select the pod, and uses up none of them', () => {
    const status = { disruptionsAllowed: 1, observedGeneration: 1 };
    const both = [budget(web, status), budget({ matchLabels: { tier: 'front' } }, status)];
    expect(judge([pod(), pod({ labels: { app: 'web' } })], ...both)).toEqual(['refused', 'goes']);
  });

  it('waits for a budget whose latest change the controller has not counted', () => {
    expect(judge([pod()], budget(web, { disruptionsAllowed: 5, observedGeneration: 0 }))).toEqual([
      'uncounted',
    ]);
  });

  test.each<[string, DisruptionBudget['status'], string | undefined, string]>([
    ['enough others are healthy', { currentHealthy: 2, desiredHealthy: 2 }, undefined, 'goes'],
    ['too few others are healthy', { currentHealthy: 1, desiredHealthy: 2 }, undefined, 'held'],
    ['none need be healthy', { currentHealthy: 0, desiredHealthy: 0 }, 'IfHealthyBudget', 'held'],
    ['the budget always lets such pods go', { currentHealthy: 0, desiredHealthy: 2 }, 'AlwaysAllow', 'goes'],
  ])('on an unready pod follows the policy if %s', (_what, status, policy, wanted) => {
    const one = budget(web, { observedGeneration: 1, ...status }, policy === undefined ? {} : { policy });
    expect(judge([pod({ isReady: false })], one)).toEqual([wanted]);
  });

  test.each<[Pod]>([
    [{ status: { phase: 'Pending' } }],
    [{ status: { phase: 'Succeeded' } }],
    [{ status: { phase: 'Failed' } }],
    [{ status: { phase: 'Running' }, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ])('never holds %j', ({ status, metadata = {} }) => {
    const gone = evictedPod({
      metadata: { namespace: 'shop', labels: { app: 'web' }, ...metadata },
      ...(status === undefined ? {} : { status }),
    });
    expect(judge([gone], budget(web), budget(web))).toEqual(['goes']);
  });
});
