import { expect, test } from 'vitest';
import { parseQuantity } from '../../src/kube/quantity.ts';
import { at, recs, str } from '../../src/playground/kit/values.ts';
import { resourceAt } from '../../src/playground/life/write.ts';
import { answerPrometheus } from '../../src/playground/metrics/prometheus.ts';
import { measured, offerMetrics } from '../../src/playground/metrics/serve.ts';
import { Lab } from './lab.ts';

interface Body {
  readonly status: string;
  readonly errorType?: string;
  readonly error?: string;
  readonly data: {
    readonly resultType: string;
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [number, string];
      readonly values: readonly (readonly [number, string])[];
    }[];
  };
}

const lab = new Lab();
lab.deploy('web', { replicas: 2, resources: { requests: { cpu: '200m', memory: '64Mi' } } });
lab.advance(20 * 60);
offerMetrics(lab.world);

function ask(path: string, params: Readonly<Record<string, string>>) {
  const { code, body } = answerPrometheus(lab.world, path, new URLSearchParams(params));
  return { code, body: body as Body };
}
const valueOf = (query: string) => {
  const { body } = ask('/api/v1/query', { query });
  return Number(body.data.result[0]?.value[1]);
};
const seconds = () => lab.clock.now() / 1000;

test('memory of containers and nodes is what metrics.k8s.io says at that time', () => {
  const pods = measured(lab.world, resourceAt(lab.world, 'metrics.k8s.io/pods'), 'default');
  expect(pods.length).toBeGreaterThan(1);
  for (const pod of pods) {
    const expected = recs(at(pod, 'containers')).reduce(
      (sum, one) => sum + (parseQuantity(str(at(one, 'usage', 'memory'))) ?? 0),
      0,
    );
    const found = valueOf(
      `sum(container_memory_working_set_bytes{container!="",container!="POD",namespace="default",pod="${pod.metadata.name}"})`,
    );
    expect(Math.abs(found - expected)).toBeLessThan(1024);
  }
  for (const node of measured(lab.world, resourceAt(lab.world, 'metrics.k8s.io/nodes'), '')) {
    const expected = parseQuantity(str(at(node, 'usage', 'memory'))) ?? 0;
    const found = valueOf(`container_memory_working_set_bytes{id="/",node="${node.metadata.name}"}`);
    expect(Math.abs(found - expected)).toBeLessThan(1024);
  }
});

test('every pod has its series while the clock goes on', () => {
  let now = lab.clock.now();
  const clock = Object.assign(Object.create(lab.clock) as typeof lab.clock, {
    now: () => {
      now += 1;
      return now;
    },
  });
  const query = 'count(container_memory_working_set_bytes{container="main"})';
  const { body } = answerPrometheus({ ...lab.world, clock }, '/api/v1/query', new URLSearchParams({ query }));
  expect((body as Body).data.result[0]?.value[1]).toBe('2');
});

test('a pod stands beside its containers, so that a sum without regard to that counts twice', () => {
  const matchers = 'namespace="default",pod=~"web-.*"';
  const all = valueOf(`sum(container_memory_working_set_bytes{${matchers}})`);
  const containers = valueOf(
    `sum(container_memory_working_set_bytes{${matchers},container!="",container!="POD"})`,
  );
  expect(all / containers).toBeGreaterThan(1.9);
});

test('the rate of processor time is the mean of what was used, and begins with the pod', () => {
  const query = 'sum(rate(container_cpu_usage_seconds_total{namespace="default",container="main"}[5m]))';
  const { body } = ask('/api/v1/query_range', {
    query,
    start: String(seconds() - 3600),
    end: String(seconds()),
    step: '60',
  });
  expect(body.data.resultType).toBe('matrix');
  const [series] = body.data.result;
  // Twenty minutes of sixty: the pods are no older.
  expect(series?.values.length).toBeGreaterThan(15);
  expect(series?.values.length).toBeLessThan(22);
  const now = measured(lab.world, resourceAt(lab.world, 'metrics.k8s.io/pods'), 'default')
    .flatMap((pod) => recs(at(pod, 'containers')))
    .reduce((sum, one) => sum + (parseQuantity(str(at(one, 'usage', 'cpu'))) ?? 0), 0);
  const rate = Number(series?.values.at(-1)?.[1]);
  expect(rate / now).toBeGreaterThan(0.5);
  expect(rate / now).toBeLessThan(2);
});

test('alternatives give each series once', () => {
  const one = 'container_memory_working_set_bytes{id="/",node="node-1"}';
  const again = 'container_memory_working_set_bytes{id="/",node=~"node-1"}';
  expect(valueOf(`count(${one} or ${again})`)).toBe(1);
});

test.each([
  ['', 400, 'bad_data'],
  ['sum(', 400, 'bad_data'],
  ['up{job=~"("}', 400, 'bad_data'],
  ['sum(container_cpu_usage_seconds_total)', 422, 'execution'],
])('the expression %j is answered as by a Prometheus', (query, code, errorType) => {
  const answer = ask('/api/v1/query', { query });
  expect([answer.code, answer.body.status, answer.body.errorType]).toEqual([code, 'error', errorType]);
});

test('too many points are refused, and what it does not know is an empty answer', () => {
  const range = { query: 'up', start: '0', end: '20000', step: '1' };
  expect(ask('/api/v1/query_range', range)).toMatchObject({
    code: 400,
    body: { error: expect.stringContaining('11,000 points') },
  });
  expect(ask('/api/v1/query', { query: 'up' }).body.data.result).toEqual([]);
  expect(ask('/metrics', {}).code).toBe(404);
});
