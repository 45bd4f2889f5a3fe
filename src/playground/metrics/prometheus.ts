import { at, type Obj, recs, str } from '../kit/values.ts';
import type { World } from '../store/world.ts';
import { type Evaluated, evaluate, Unsupported } from './evaluate.ts';
import { ParseError, parsePromql } from './promql.ts';
import { cadvisorSeries } from './series.ts';

/** An answer over HTTP. */
interface PrometheusAnswer {
  readonly code: number;
  readonly body?: unknown;
  readonly text?: string;
}

/** Points of one series, at most. */
const mostPoints = 11_000;

/** Whether a pod runs a Prometheus. */
const isPrometheus = (pod: Obj) =>
  at(pod, 'status', 'phase') === 'Running' &&
  recs(at(pod, 'spec', 'containers')).some((one) => /\/prometheus:/.test(str(one['image'])));

/**
 * Whether a Prometheus answers at a port of a Service: one of the pods that the Service selects runs it.
 * @param port number or name
 */
export function servesPrometheus(world: World, service: Obj, port: string): boolean {
  const selector = Object.entries(
    (at(service, 'spec', 'selector') ?? {}) as Readonly<Record<string, string>>,
  );
  const hasPort = recs(at(service, 'spec', 'ports')).some(
    (one) => String(one['port']) === port || one['name'] === port,
  );
  if (!hasPort || selector.length === 0) return false;
  return world.store
    .list('/pods', `${service.metadata.namespace ?? ''}/`)
    .some(
      (pod) => isPrometheus(pod) && selector.every(([name, value]) => pod.metadata.labels?.[name] === value),
    );
}

const failure = (code: number, errorType: string, error: string): PrometheusAnswer => ({
  code,
  body: { status: 'error', errorType, error },
});

/** A time of a parameter in ms: seconds, or RFC 3339. NaN for what is none. */
const timeOf = (text: string | null) =>
  text === null || text === ''
    ? Number.NaN
    : Number.isFinite(Number(text))
      ? Number(text) * 1000
      : Date.parse(text);

/** Answers a request to the HTTP API of the Prometheus of the playground. @param path `/api/v1/query` */
export function answerPrometheus(world: World, path: string, query: URLSearchParams): PrometheusAnswer {
  if (path === '/-/ready') return { code: 200, text: 'Prometheus Server is Ready.\n' };
  if (path !== '/api/v1/query' && path !== '/api/v1/query_range')
    return { code: 404, text: '404 page not found\n' };
  const isRange = path === '/api/v1/query_range';
  const times = isRange
    ? rangeOf(query)
    : [query.has('time') ? timeOf(query.get('time')) : world.clock.now()];
  if (!Array.isArray(times)) return times;
  if (times.some(Number.isNaN)) return failure(400, 'bad_data', 'invalid parameter "time"');
  try {
    const result = evaluate(parsePromql(query.get('query') ?? ''), times, cadvisorSeries(world));
    return {
      code: 200,
      body: { status: 'success', data: isRange ? matrix(result, times) : vector(result, times) },
    };
  } catch (error) {
    if (error instanceof ParseError || error instanceof SyntaxError)
      return failure(400, 'bad_data', `invalid parameter "query": ${error.message}`);
    if (error instanceof Unsupported)
      return failure(422, 'execution', `not known to the playground: ${error.message}`);
    throw error;
  }
}

function rangeOf(query: URLSearchParams): number[] | PrometheusAnswer {
  const [start, end] = [timeOf(query.get('start')), timeOf(query.get('end'))];
  const step = Number(query.get('step')) * 1000;
  if (Number.isNaN(start)) return failure(400, 'bad_data', 'invalid parameter "start"');
  if (Number.isNaN(end)) return failure(400, 'bad_data', 'invalid parameter "end"');
  if (end < start)
    return failure(400, 'bad_data', 'invalid parameter "end": end timestamp must not be before start time');
  if (!(step > 0))
    return failure(
      400,
      'bad_data',
      'invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer',
    );
  const count = Math.floor((end - start) / step) + 1;
  if (count > mostPoints)
    return failure(
      400,
      'bad_data',
      'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
    );
  return Array.from({ length: count }, (_, index) => start + index * step);
}

const sample = (time: number, value: number) => [time / 1000, String(value)] as const;

const matrix = (result: readonly Evaluated[], times: readonly number[]) => ({
  resultType: 'matrix',
  result: result.flatMap(({ labels, values }) => {
    const points = values.flatMap((value, index) =>
      value === undefined ? [] : [sample(times[index] ?? 0, value)],
    );
    return points.length === 0 ? [] : [{ metric: labels, values: points }];
  }),
});

const vector = (result: readonly Evaluated[], times: readonly number[]) => ({
  resultType: 'vector',
  result: result.flatMap(({ labels, values: [value] }) =>
    value === undefined ? [] : [{ metric: labels, value: sample(times[0] ?? 0, value) }],
  ),
});
