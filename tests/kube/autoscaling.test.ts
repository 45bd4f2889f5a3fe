import { describe, expect, test } from 'vitest';
import { type HorizontalPodAutoscaler, metricTexts, missingMetrics } from '../../src/kube/autoscaling.ts';

const autoscaler: HorizontalPodAutoscaler = {
  spec: {
    metrics: [
      { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 60 } } },
      { type: 'Resource', resource: { name: 'memory', target: { averageValue: '262144000' } } },
      { type: 'Pods', pods: { metric: { name: 'requests' }, target: { averageValue: '100' } } },
    ],
  },
  status: {
    conditions: [{ type: 'ScalingActive', status: 'True' }],
    currentMetrics: [
      { type: 'Resource', resource: { name: 'memory', current: { averageValue: '131072000' } } },
    ],
  },
};

describe('the metrics of an autoscaler', () => {
  test('are told as people read them, each beside what was measured of it', () => {
    expect(metricTexts(autoscaler)).toEqual(['cpu ?/60%', 'memory 125Mi/250Mi', 'requests ?/100']);
  });

  test('that cannot be measured are named, once the controller has looked', () => {
    expect(missingMetrics(autoscaler)).toEqual(['cpu', 'requests']);
    expect(missingMetrics({ ...autoscaler, status: {} })).toEqual([]);
  });
});
