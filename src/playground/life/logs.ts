import type { ContainerState } from '../../kube/core.ts';
import { type Obj, rec, recs, str } from '../values.ts';

/** One line of a container's log. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

/** One run of a container: its lines follow from it, so nothing is stored and any part can be told again. */
export interface Run {
  readonly seed: number;
  readonly started: number;
  /** When it ended; undefined while it runs. */
  readonly finished: number | undefined;
  readonly style: Style;
  readonly name: string;
  /** Its exit code once it ended. */
  readonly exitCode: number | undefined;
}

type Style = 'access' | 'json' | 'text';

function hash(text: string): number {
  let value = 2166136261;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 16777619);
  }
  return value >>> 0;
}

function mix(seed: number, index: number): number {
  let t = (seed + Math.imul(index + 1, 0x9e3779b1)) >>> 0;
  t = Math.imul(t ^ (t >>> 16), 0x85ebca6b);
  t = Math.imul(t ^ (t >>> 13), 0xc2b2ae35);
  return (t ^ (t >>> 16)) >>> 0;
}

function styleOf(image: string, name: string): Style {
  if (/nginx|ingress|envoy|traefik|frontend|storefront/.test(`${image} ${name}`)) return 'access';
  return /postgres|redis|etcd|kafka|coredns|proxy|kube-|prometheus/.test(`${image} ${name}`)
    ? 'text'
    : 'json';
}

/** The run that a container's state tells of; undefined when it has not run. */
export function runOf(pod: Obj, container: string, state: ContainerState | undefined): Run | undefined {
  const started = state?.running?.startedAt ?? state?.terminated?.startedAt;
  if (started === undefined) return undefined;
  const spec = recs(rec(pod['spec'])['containers'])
    .concat(recs(rec(pod['spec'])['initContainers']))
    .find((item) => item['name'] === container);
  const finished = state?.terminated?.finishedAt;
  return {
    seed: hash(`${pod.metadata.uid ?? ''}/${container}/${started}`),
    started: Date.parse(started),
    finished: finished === undefined ? undefined : Date.parse(finished),
    style: styleOf(str(spec?.['image']), container),
    name: container,
    exitCode: state?.terminated?.exitCode,
  };
}

const every: Readonly<Record<Style, number>> = { access: 1_700, json: 3_100, text: 9_000 };
const opening = 4;

function lineTime(run: Run, index: number): number {
  if (index < opening) return run.started + index * 180;
  const step = every[run.style];
  const jitter = (mix(run.seed, index) % 1000) / 1000 - 0.5;
  return run.started + opening * 180 + (index - opening + 1) * step + Math.round(jitter * step * 0.8);
}

const paths = [
  '/',
  '/api/cart',
  '/api/products?page=2',
  '/api/orders',
  '/healthz',
  '/static/app.js',
  '/api/search?q=lamp',
];
const events = [
  'request served',
  'cache refreshed',
  'job picked up',
  'connection reused',
  'message published',
  'order priced',
];
const letter = (value: number) => value.toString(16).padStart(8, '0');

function lineText(run: Run, index: number, at: number): string {
  const roll = mix(run.seed, index);
  const time = new Date(at).toISOString();
  if (index < opening) {
    const words = [
      `starting ${run.name}`,
      'configuration loaded from /etc/config/app.yaml',
      'connected to upstream services',
      run.finished !== undefined && run.exitCode !== 0 ? 'warming up' : 'ready to serve',
    ];
    const word = words[index] ?? '';
    if (run.style === 'json') return JSON.stringify({ time, level: 'info', msg: word, component: run.name });
    return run.style === 'text'
      ? `${time.slice(0, 23)} [${1 + (roll % 40)}] LOG:  ${word}`
      : `${time} [notice] 1#1: ${word}`;
  }
  if (run.style === 'access') {
    const path = paths[roll % paths.length] ?? '/';
    const code = roll % 53 === 0 ? 502 : roll % 19 === 0 ? 404 : 200;
    const address = `10.244.${roll % 6}.${(roll >>> 8) % 250}`;
    return `${address} - - [${time}] "GET ${path} HTTP/1.1" ${code} ${300 + (roll % 9000)} "-" "Mozilla/5.0" ${((roll % 400) / 1000).toFixed(3)}`;
  }
  const event = events[roll % events.length] ?? '';
  if (run.style === 'json') {
    const level = roll % 41 === 0 ? 'error' : roll % 13 === 0 ? 'warn' : 'info';
    return JSON.stringify({ time, level, msg: event, trace: letter(roll), duration_ms: roll % 480 });
  }
  return `${time.slice(0, 23)} [${1 + (roll % 40)}] LOG:  ${event} (${letter(roll)})`;
}

function ending(run: Run): LogLine[] {
  if (run.finished === undefined || run.exitCode === undefined || run.exitCode === 0) return [];
  const at = run.finished - 5;
  const line = (text: string) => ({ at, text });
  if (run.exitCode === 137) return [line(`${run.name}: heap grows past its limit, collecting`)];
  return [
    line(`\u001b[31mERROR\u001b[0m ${run.name} failed: connect ECONNREFUSED 10.96.44.12:5432`),
    line('    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16)'),
    line('    at async Pool.connect (/app/node_modules/pg-pool/index.js:45:11)'),
    line('    at async main (/app/dist/server.js:112:18)'),
  ];
}

/** The number of lines a run has written before a time. */
function countBefore(run: Run, time: number): number {
  const end = run.finished === undefined ? time : Math.min(time, run.finished);
  let low = 0;
  let high = Math.max(opening, Math.ceil((end - run.started) / every[run.style]) + opening + 2);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lineTime(run, middle) < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The lines a run wrote from one time up to, not including, another; only the last `tail` of them. */
export function logLines(run: Run, from: number, to: number, tail: number): LogLine[] {
  const end = countBefore(run, to);
  const first = Math.max(countBefore(run, from), end - tail, 0);
  const lines: LogLine[] = [];
  for (let index = first; index < end; index++) {
    const at = lineTime(run, index);
    lines.push({ at, text: lineText(run, index, at) });
  }
  if (run.finished !== undefined && run.finished <= to) {
    lines.push(...ending(run).filter((line) => line.at >= from));
  }
  return tail === 0 ? [] : lines.slice(-tail);
}

/** How long until a run may write its next line, ms. */
export function logPace(run: Run): number {
  return every[run.style] / 2;
}
