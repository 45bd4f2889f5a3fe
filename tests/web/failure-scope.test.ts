import { describe, expect, test } from 'vitest';
import type { ClusterState } from '../../src/contract/clusters.ts';
import { failureScope } from '../../src/web/frame/failure-scope.ts';

const cluster = (id: number, status: ClusterState['status']) => ({
  id,
  state: { status, checkedAt: '2026-01-01T00:00:00Z' },
});

describe('that other clusters are fine', () => {
  test('is shown for a cluster in trouble whose neighbours are all reachable', () =>
    expect(failureScope([cluster(1, 'unreachable'), cluster(2, 'reachable')], 1)).toBe(
      ' Other clusters are fine.',
    ));

  test.each([
    [
      'the cluster answers: the failure is of something else',
      [cluster(1, 'reachable'), cluster(2, 'reachable')],
    ],
    ['it is not known how the cluster is', [cluster(1, 'unknown'), cluster(2, 'reachable')]],
    ['another one is in trouble too', [cluster(1, 'unreachable'), cluster(2, 'unreachable')]],
    ['another one was not asked yet', [cluster(1, 'unreachable'), cluster(2, 'unknown')]],
    ['there is no other', [cluster(1, 'unreachable')]],
    ['the clusters are not known', undefined],
  ])('is not said where %s', (_why, clusters) => expect(failureScope(clusters, 1)).toBe(''));
});
