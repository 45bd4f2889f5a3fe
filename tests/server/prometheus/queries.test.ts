import { describe, expect, test } from 'vitest';
import { parsePromql } from '../../../src/playground/metrics/promql.ts';
import { readCount, readMatrix, UnreadableAnswer } from '../../../src/server/prometheus/answer.ts';
import { type Selection, usageQueries } from '../../../src/server/prometheus/queries.ts';

const pods = (change: Partial<Extract<Selection, { of: 'pods' }>>): Selection => ({
  of: 'pods',
  namespaces: 'all',
  excluded: new Set(),
  ...change,
});
const memoryOf = (selection: Selection, label: { name: string; value: string } | null = null) =>
  usageQueries(selection, label, 15)?.memory;

describe('expressions', () => {
  test('count each container once, and never a pod beside its containers', () => {
    expect(usageQueries(pods({ namespaces: new Set(['shop']), pods: { name: 'web-1' } }), null, 15)).toEqual({
      cpu: 'sum(max by (namespace,pod,container) (rate(container_cpu_usage_seconds_total{container!="",container!="POD",namespace=~"shop",pod="web-1"}[300s])))',
      memory:
        'sum(max by (namespace,pod,container) (container_memory_working_set_bytes{container!="",container!="POD",namespace=~"shop",pod="web-1"}))',
    });
  });

  test('average processor time over the whole distance of two points', () => {
    expect(usageQueries({ of: 'nodes' }, null, 3_600)?.cpu).toContain('[3600s]');
  });

  test('have the namespaces of whoever asks, without those that are left out', () => {
    expect(memoryOf(pods({ namespaces: new Set(['b', 'a', 'c']), excluded: new Set(['c']) }))).toContain(
      'namespace=~"a|b"',
    );
    expect(memoryOf(pods({ excluded: new Set(['kube-system', 'lab']) }))).toContain(
      'namespace!~"kube-system|lab"',
    );
    expect(memoryOf(pods({}))).toContain('namespace!=""');
    // Without any left nothing is asked: an expression without a namespace would be about all of them.
    expect(memoryOf(pods({ namespaces: new Set() }))).toBeUndefined();
    expect(memoryOf(pods({ namespaces: new Set(['a']), excluded: new Set(['a']) }))).toBeUndefined();
  });

  test('stay whole whatever a name holds', () => {
    const hostile = '"} or vector(1) or up{job=~".*';
    const text = memoryOf(pods({ namespaces: new Set([hostile]), pods: { name: hostile } }), {
      name: 'cluster',
      value: 'a"b\\c\nd',
    });
    const parsed = parsePromql(text ?? '');
    const found = JSON.stringify(parsed);
    expect(parsed).toMatchObject({ operator: 'sum', of: { operator: 'max', of: { type: 'selector' } } });
    expect(found).toContain(JSON.stringify({ label: 'pod', op: '=', value: hostile }));
    expect(found).toContain(JSON.stringify({ label: 'cluster', op: '=', value: 'a"b\\c\nd' }));
  });

  test('are not sent if they are too long for an address', () => {
    const many = new Set(
      Array.from({ length: 200 }, (_, index) => `a-rather-long-name-of-a-namespace-${index}`),
    );
    expect(memoryOf(pods({ namespaces: many }))).toBeUndefined();
  });

  test('of a node need no exporter, and know it by the labels of common configurations', () => {
    const text = memoryOf({ of: 'node', name: 'n-1.example' });
    expect(text).toBe(
      'max(container_memory_working_set_bytes{id="/",node="n-1.example"} or container_memory_working_set_bytes{id="/",kubernetes_io_hostname="n-1.example"} or container_memory_working_set_bytes{id="/",instance=~"n-1\\\\.example(:[0-9]+)?"})',
    );
    expect(() => parsePromql(text ?? '')).not.toThrow();
  });
});

describe('answers', () => {
  const grid = { from: 1_000, step: 10, count: 4 };
  const matrix = (result: unknown, more: object = {}) => ({
    status: 'success',
    data: { resultType: 'matrix', result },
    ...more,
  });
  const series = (values: unknown) => matrix([{ metric: {}, values }]);

  test('stand on the times that were asked for; what is no number, not finite or below 0 is nothing', () => {
    const values = [
      [990, '9'],
      [1_000, '1.5'],
      [1_010.4, 'NaN'],
      [1_020, '+Inf'],
      [1_030, '-1'],
      [1_040, '7'],
    ];
    expect(readMatrix(series(values), grid).values).toEqual([1.5, null, null, null]);
    expect(readMatrix(series([[1_010, '2e3']]), grid).values).toEqual([null, 2_000, null, null]);
    expect(readMatrix(series([[1_010, '']]), grid).values).toEqual([null, null, null, null]);
    expect(readMatrix(matrix([]), grid).values).toEqual([null, null, null, null]);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'success'],
    ['an error', { status: 'error', errorType: 'execution', error: 'x' }],
    ['another type', { status: 'success', data: { resultType: 'vector', result: [] } }],
    ['two series', matrix([{ values: [] }, { values: [] }])],
    ['too many points', series(Array.from({ length: 1_001 }, (_, index) => [index, '1']))],
    ['numbers for texts', series([[1_000, 1]])],
    ['texts for times', series([['1000', '1']])],
    ['a long text for a number', series([[1_000, '1'.repeat(100)]])],
  ])('that are %s are none', (_, body) => {
    expect(() => readMatrix(body, grid)).toThrow(UnreadableAnswer);
  });

  test('may say that they are incomplete: the first warning, cleaned and cut', () => {
    const warnings = [`\u202epartial\u0000 ${'x'.repeat(500)}`, 'second'];
    expect(readMatrix(matrix([], { warnings }), grid).isPartial).toBe(true);
    const { warning } = readCount({
      status: 'success',
      data: { resultType: 'vector', result: [] },
      warnings,
    });
    expect(warning).toContain('partial');
    expect(warning).not.toContain('\u202e');
    expect(warning).not.toContain('\u0000');
    expect(warning?.length).toBeLessThanOrEqual(200);
  });

  test('of a count are 0 without a series', () => {
    const vector = (result: unknown) => ({ status: 'success', data: { resultType: 'vector', result } });
    expect(readCount(vector([]))).toEqual({ count: 0 });
    expect(readCount(vector([{ metric: {}, value: [1, '12'] }]))).toEqual({ count: 12 });
    expect(() => readCount(vector([{ value: 12 }]))).toThrow(UnreadableAnswer);
  });
});
