import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAge } from '../../src/kube/age.ts';
import type { ContainerState, Pod } from '../../src/kube/core.ts';
import { formatSelector } from '../../src/kube/format-selector.ts';
import { podHealth } from '../../src/kube/pod-status.ts';
import { selectorText } from '../../src/playground/kit/selector-text.ts';
import { ageOf, humanDuration } from '../../src/playground/tables/age.ts';
import { podStatus } from '../../src/playground/tables/pod-status.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

// From apimachinery's own test of duration.HumanDuration.
test.each([
  [-3 * second, '<invalid>'],
  [-second / 2, '0s'],
  [0, '0s'],
  [70 * second, '70s'],
  [3 * minute, '3m'],
  [3 * minute + second, '3m1s'],
  [10 * minute + second, '10m'],
  [2 * hour, '120m'],
  [3 * hour, '3h'],
  [7 * hour + minute, '7h1m'],
  [8 * hour + minute, '8h'],
  [48 * hour, '2d'],
  [2 * 24 * hour + hour, '2d1h'],
  [8 * 24 * hour + hour, '8d'],
  [2 * 365 * 24 * hour + 24 * hour, '2y1d'],
  [2 * 365 * 24 * hour, '2y'],
  [8 * 365 * 24 * hour + 24 * hour, '8y'],
])('%d ms are written as %s', (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

test('a selector is formatted by its keys, sets in parentheses', () => {
  expect(
    selectorText({
      matchLabels: { tier: 'web', app: 'shop' },
      matchExpressions: [
        { key: 'zone', operator: 'In', values: ['b', 'a'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'env', operator: 'Exists' },
        { key: 'size', operator: 'NotIn', values: ['s'] },
      ],
    }),
  ).toBe('app=shop,env,!old,size notin (s),tier=web,zone in (a,b)');
  expect([selectorText(undefined), selectorText({})]).toEqual(['', '']);
});

const states: fc.Arbitrary<ContainerState> = fc.oneof(
  fc.record({ waiting: fc.record({ reason: fc.constantFrom('', 'PodInitializing', 'CrashLoopBackOff') }) }),
  fc.constant({ running: { startedAt: '2026-03-02T12:00:00Z' } }),
  fc.record({
    terminated: fc.record({
      exitCode: fc.constantFrom(0, 1, 137),
      signal: fc.constantFrom(0, 9),
      reason: fc.constantFrom('', 'Completed', 'Error'),
    }),
  }),
);
const statuses = (names: readonly string[]) =>
  fc.tuple(
    ...names.map((name) =>
      fc.record({
        name: fc.constant(name),
        ready: fc.boolean(),
        started: fc.boolean(),
        restartCount: fc.nat(3),
        state: states,
        lastState: fc.oneof(
          fc.constant({}),
          fc.integer({ min: 10, max: 59 }).map((at) => ({
            terminated: { finishedAt: `2026-03-02T11:00:${at}Z` },
          })),
        ),
      }),
    ),
  );
const condition = (type: string) =>
  fc.constantFrom('True', 'False').map((status) => ({ type, status, reason: '' }));
const pods: fc.Arbitrary<Pod> = fc.record({
  metadata: fc.constantFrom({}, { deletionTimestamp: '2026-03-02T12:00:00Z' }),
  spec: fc.record({
    containers: fc.constant([{ name: 'a' }, { name: 'b' }]),
    initContainers: fc.tuple(
      ...['i', 'j'].map((name) =>
        fc.constantFrom<{ name: string; restartPolicy?: string }>(
          { name },
          { name, restartPolicy: 'Always' },
        ),
      ),
    ),
  }),
  status: fc.record({
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
    reason: fc.constantFrom('', 'Evicted', 'NodeLost'),
    conditions: fc.tuple(condition('Initialized'), condition('Ready')),
    initContainerStatuses: statuses(['i', 'j']),
    containerStatuses: statuses(['a', 'b']),
  }),
});

// The two are written apart from each other: what one of them misreads, the other tells.
test('the console derives from a pod, an age and a selector what the table shows', () => {
  fc.assert(
    fc.property(pods, (pod) => {
      const { reason, ready, total, restarts, lastRestart } = podHealth(pod);
      expect(podStatus(pod)).toEqual({ reason, ready, total, restarts, restartedAt: lastRestart });
    }),
    { numRuns: 2_000 },
  );
  const now = Date.parse('2026-03-02T12:00:00Z');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 * 365 * 24 * 3600 }), (seconds) => {
      const then = new Date(now - seconds * 1000).toISOString();
      expect(ageOf(then, now)).toBe(formatAge(seconds));
    }),
  );
  const labels = { matchLabels: { tier: 'web', app: 'shop' } };
  expect(selectorText(labels)).toBe(formatSelector(labels));
});
