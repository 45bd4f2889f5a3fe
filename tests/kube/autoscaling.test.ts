import { describe, expect, test } from 'vitest';
import { type HorizontalPodAutoscaler, metricTexts, missingMetrics } from '../../src/kube/autoscaling.ts';
import type { MetricSpec, MetricStatus, MetricValue } from '../../src/kube/autoscaling-metrics.ts';

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

  test('are read of autoscaling/v1 as well', () => {
    const v1: HorizontalPodAutoscaler = {
      spec: { targetCPUUtilizationPercentage: 60 },
      status: { currentCPUUtilizationPercentage: 43 },
    };
    expect(metricTexts(v1)).toEqual(['cpu 43%/60%']);
    expect(metricTexts({ ...v1, status: {} })).toEqual(['cpu ?/60%']);
    // Those of other resources are in annotations.
    const annotations = {
      'autoscaling.alpha.kubernetes.io/metrics': JSON.stringify([
        { type: 'Resource', resource: { name: 'memory', targetAverageValue: '8Gi' } },
        {
          type: 'External',
          external: {
            metricName: 'queue_len',
            metricSelector: { matchLabels: { queue: 'a' } },
            targetAverageValue: '30',
          },
        },
        {
          type: 'Object',
          object: { metricName: 'rps', target: { kind: 'Ingress', name: 'main' }, targetValue: '2k' },
        },
      ]),
      'autoscaling.alpha.kubernetes.io/current-metrics': JSON.stringify([
        { type: 'Resource', resource: { name: 'memory', currentAverageValue: '157Mi' } },
        {
          type: 'Object',
          object: { metricName: 'rps', target: { kind: 'Ingress', name: 'main' }, currentValue: '1k' },
        },
      ]),
      'autoscaling.alpha.kubernetes.io/conditions': JSON.stringify([
        { type: 'ScalingActive', status: 'True' },
      ]),
    };
    const several = { ...v1, metadata: { annotations } };
    expect(metricTexts(several)).toEqual([
      'cpu 43%/60%',
      'memory 157Mi/8Gi',
      'queue_len ?/30',
      'rps of Ingress/main 1000/2000',
    ]);
    expect(missingMetrics(several)).toEqual(['queue_len']);
    expect(
      metricTexts({
        ...v1,
        metadata: { annotations: { ...annotations, 'autoscaling.alpha.kubernetes.io/metrics': '{' } },
      }),
    ).toEqual(['cpu 43%/60%']);
  });

  test('of one name are told apart by their selectors', () => {
    const external = (queue: string, target: object) => ({
      type: 'External',
      external: { metric: { name: 'queue_len', selector: { matchLabels: { queue } } }, target },
    });
    const multi: HorizontalPodAutoscaler = {
      spec: {
        metrics: [
          external('a', { type: 'AverageValue', averageValue: '30' }),
          external('b', { type: 'Value', value: '2k' }),
        ],
      },
      status: {
        conditions: [{ type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound' }],
        currentMetrics: [
          {
            type: 'External',
            external: {
              metric: { name: 'queue_len', selector: { matchLabels: { queue: 'b' } } },
              current: { value: '1500' },
            },
          },
        ],
      },
    };
    expect(metricTexts(multi)).toEqual(['queue_len of queue=a ?/30', 'queue_len of queue=b 1500/2000']);
    expect(missingMetrics(multi)).toEqual(['queue_len of queue=a']);
  });

  test('of one name are told apart by the objects that they describe', () => {
    const described = (name: string) => ({ kind: 'Ingress', name, apiVersion: 'networking.k8s.io/v1' });
    const metric = { name: 'requests' };
    const two: HorizontalPodAutoscaler = {
      spec: {
        metrics: ['a', 'b'].map((name) => ({
          type: 'Object',
          object: { metric, describedObject: described(name), target: { value: '10' } },
        })),
      },
      status: {
        conditions: [],
        currentMetrics: [
          { type: 'Object', object: { metric, describedObject: described('b'), current: { value: '7' } } },
        ],
      },
    };
    expect(metricTexts(two)).toEqual(['requests of Ingress/a ?/10', 'requests of Ingress/b 7/10']);
  });

  test('are compared in the form of their targets', () => {
    const of = (metrics: MetricSpec[], currentMetrics: MetricStatus[]) =>
      metricTexts({ spec: { metrics }, status: { currentMetrics } });
    const cpu = (target: MetricValue, current: MetricValue) =>
      of(
        [{ type: 'Resource', resource: { name: 'cpu', target } }],
        [{ type: 'Resource', resource: { name: 'cpu', current } }],
      );
    expect(cpu({ averageValue: '500m' }, { averageUtilization: 0, averageValue: '123m' })).toEqual([
      'cpu 123m/500m',
    ]);
    expect(cpu({ averageUtilization: 50 }, { averageUtilization: 7, averageValue: '123m' })).toEqual([
      'cpu 7%/50%',
    ]);
    const external = { metric: { name: 'queue' } };
    const each = (value: MetricValue) => ({ type: 'External', external: { ...external, current: value } });
    const want = (target: MetricValue) => ({ type: 'External', external: { ...external, target } });
    expect(of([want({ value: '10' })], [each({ value: '3', averageValue: '0' })])).toEqual(['queue 3/10']);
    expect(
      of(
        [want({ value: '10' }), want({ averageValue: '5' })],
        [each({ averageValue: '4' }), each({ value: '3' })],
      ),
    ).toEqual(['queue 3/10', 'queue 4/5']);
    expect(of([want({ value: '9223372036854775807' })], [each({ value: '9007199254740993' })])).toEqual([
      'queue 9007199254740993/9223372036854775807',
    ]);
  });

  test('of objects of two groups are told apart', () => {
    const described = (apiVersion: string) => ({ apiVersion, kind: 'Ingress', name: 'main' });
    const [own, other] = [described('networking.k8s.io/v1'), described('traefik.io/v1')];
    const metric = { name: 'rps' };
    const metrics = [own, other].map((describedObject, index) => ({
      type: 'Object',
      object: { metric, describedObject, target: { value: String(10 * (index + 1)) } },
    }));
    const currentMetrics = [
      { type: 'Object', object: { metric, describedObject: other, current: { value: '3' } } },
    ];
    expect(metricTexts({ spec: { metrics }, status: { currentMetrics } })).toEqual([
      'rps of Ingress/main ?/10',
      'rps of Ingress.traefik.io/main 3/20',
    ]);
  });

  test('of one name and of several types are told apart by their types', () => {
    const metric = { name: 'queue' };
    const object = {
      spec: {
        metrics: [
          { type: 'Pods', pods: { metric, target: { averageValue: '30' } } },
          { type: 'External', external: { metric, target: { value: '500' } } },
        ],
      },
      status: {
        conditions: [{ type: 'ScalingActive', status: 'True' }],
        currentMetrics: [{ type: 'External', external: { metric, current: { value: '77' } } }],
      },
    };
    expect(metricTexts(object)).toEqual(['queue (pods) ?/30', 'queue (external) 77/500']);
    expect(missingMetrics(object)).toEqual(['queue (pods)']);
  });
});
