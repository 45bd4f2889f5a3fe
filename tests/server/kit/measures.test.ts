import { describe, expect, test } from 'vitest';
import { Measures } from '../../../src/server/kit/measures.ts';
import type { Span, SpanAttributes, Tracer } from '../../../src/server/kit/tracer.ts';

/** A tracer that notes what is begun and ended. */
function notingTracer(notes: string[]): Tracer {
  return {
    begin: (name): Span => {
      notes.push(`begin ${name}`);
      return { isEnded: false, end: (_attributes, hasFailed) => notes.push(`end ${name} ${hasFailed}`) };
    },
    close: async () => {},
  };
}

const request = (verb: string): SpanAttributes => ({ 'k8s.verb': verb, 'wheelhouse.cluster.id': 7 });

describe('requests to clusters', () => {
  test.each([
    ['an answer', {}, false, 'ok'],
    ['a refusal', { 'error.type': '403' }, true, '403'],
    ['a silence', { 'error.type': 'no answer' }, true, 'no answer'],
  ])('are counted by cluster, verb and outcome: %s', async (_name, ending, hasFailed, outcome) => {
    const measures = new Measures();
    const span = measures.measured(undefined).begin('list pods', 'client', request('list'));
    span.end(ending, hasFailed);
    span.end(ending, hasFailed);
    expect(span.isEnded).toBe(true);
    expect(await measures.registry.metrics()).toContain(
      `wheelhouse_cluster_request_duration_seconds_count{cluster="7",verb="list",outcome="${outcome}"} 1\n`,
    );
  });

  test('are recorded by the tracer as well, as calls are that are not measured', () => {
    const notes: string[] = [];
    const tracer = new Measures().measured(notingTracer(notes));
    tracer.begin('list pods', 'client', request('list')).end({}, false);
    tracer.begin('GET /api', 'server', {}).end({}, true);
    expect(notes).toEqual(['begin list pods', 'end list pods false', 'begin GET /api', 'end GET /api true']);
  });
});

test('waits of pages, of changes and for connections are measured, and duties are counted by their sort', async () => {
  const measures = new Measures();
  const wait = { clusterId: 7, userId: 1, what: 'pod' };
  measures.answeredList({ ...wait, outcome: 'rows', ms: 120 });
  measures.answeredList({ ...wait, outcome: 'no rows', ms: 9_000 });
  measures.refused(wait, 403);
  measures.sentChanges(7, 40);
  measures.waitedForConnection(3);
  for (const key of ['detection/1', 'detection/2', 'webhooks']) measures.duty(key, 1);
  measures.duty('detection/1', -1);
  const text = await measures.registry.metrics();
  for (const line of [
    'wheelhouse_live_first_rows_seconds_sum{cluster="7"} 0.12',
    'wheelhouse_live_first_rows_seconds_count{cluster="7"} 1',
    'wheelhouse_live_refused_total{cluster="7",status="403"} 1',
    'wheelhouse_live_change_duration_seconds_sum{cluster="7"} 0.04',
    'wheelhouse_database_wait_seconds_sum 0.003',
    'wheelhouse_duties{duty="detection"} 1',
    'wheelhouse_duties{duty="webhooks"} 1',
  ])
    expect(text).toContain(`${line}\n`);
  expect(measures.recent.of(1, 7, Date.now()).map(({ outcome }) => outcome)).toEqual([
    'rows',
    'no rows',
    '403',
  ]);
});
