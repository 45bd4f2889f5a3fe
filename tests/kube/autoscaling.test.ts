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
  test('are readable texts with measured and target values', () => {
    expect(metricTexts(autoscaler)).toEqual(['cpu ?/60%', 'memory 125Mi/250Mi', 'requests ?/100']);
  });

  test('are listed as missing if the controller could not measure them', () => {
    expect(missingMetrics(autoscaler)).toEqual(['cpu', 'requests']);
    expect(missingMetrics({ ...autoscaler, status: {} })).toEqual([]);
  });
});
