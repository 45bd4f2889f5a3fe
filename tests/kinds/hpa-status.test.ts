import { expect, test } from 'vitest';
import { hpa } from '../../commands/kinds/hpa.ts';
import type { HorizontalPodAutoscaler } from '../../src/kube/autoscaling.ts';

const metric = (name: string) => ({
  type: 'Pods',
  pods: { metric: { name }, target: { type: 'AverageValue', averageValue: '10' } },
});
const measured = (name: string) => ({
  type: 'Pods',
  pods: { metric: { name }, current: { averageValue: '5' } },
});

/** An autoscaler of two metrics whose controller reports that it cannot scale by them. */
const inactive = (...names: readonly string[]): HorizontalPodAutoscaler => ({
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, metrics: [metric('rps'), metric('queue')] },
  status: {
    currentMetrics: names.map(measured),
    conditions: [
      { type: 'AbleToScale', status: 'True', reason: 'ReadyForNewScale' },
      { type: 'ScalingActive', status: 'False', reason: 'FailedGetPodsMetric' },
    ],
  },
});

test('an autoscaler that lacks one of two metrics is amber and names it, though its controller calls it inactive', () => {
  expect(hpa.status?.(inactive('queue'))).toEqual({ tone: 'warn', label: 'Metrics missing' });
  expect(hpa.attention?.(inactive('queue'))?.title).toBe('1 of its 2 metrics cannot be measured: rps.');
});

test('an autoscaler that lacks both of its metrics is red', () => {
  expect(hpa.status?.(inactive())).toEqual({ tone: 'bad', label: 'No metrics' });
});
