import type { ContainerState } from '../../kube/core.ts';
import { type Obj, rec, recs, str } from '../kit/values.ts';
import { behaviourOf } from '../kit/behaviour.ts';
import { entryLines, plainLine, type Style, styleOf } from './log-text.ts';

/** One line of a container's log. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

/**
 * One run of a container. Its lines are computed from these fields, so nothing is stored and any part can be read
 * again.
 */
export interface Run {
  readonly seed: number;
  readonly started: number;
  /** Time of its end; undefined while it runs. */
  readonly finished: number | undefined;
  readonly style: Style;
  /** Average time between entries, ms. */
  readonly pace: number;
  readonly name: string;
  /** Names of the image and the container. */
  readonly subject: string;
  /** Its exit code once it ended. */
  readonly exitCode: number | undefined;
}

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

/** The run that a container's state describes; undefined when it has not run. */
export function runOf(pod: Obj, container: string, state: ContainerState | undefined): Run | undefined {
  const started = state?.running?.startedAt ?? state?.terminated?.startedAt;
  if (started === undefined) return undefined;
  const spec = recs(rec(pod['spec'])['containers'])
    .concat(recs(rec(pod['spec'])['initContainers']), recs(rec(pod['spec'])['ephemeralContainers']))
    .find((item) => item['name'] === container);
  const finished = state?.terminated?.finishedAt;
  const image = str(spec?.['image']);
  const style = styleOf(image, container);
  return {
    seed: hash(`${pod.metadata.uid ?? ''}/${container}/${started}`),
    started: Date.parse(started),
    finished: finished === undefined ? undefined : Date.parse(finished),
    style,
    pace: behaviourOf(pod, container, image) === 'noisy' ? 20 : pauseByStyle[style],
    name: container,
    subject: `${image.slice(image.lastIndexOf('/') + 1)} ${container}`,
    exitCode: state?.terminated?.exitCode,
  };
}

const pauseByStyle: Readonly<Record<Style, number>> = {
  access: 1_700,
  json: 3_100,
  logfmt: 8_000,
  klog: 7_000,
  dns: 2_600,
  etcd: 11_000,
  postgres: 9_000,
  redis: 30_000,
  java: 2_400,
  colours: 3_700,
};
const opening = 4;
/** Maximum number of lines kept of one run; log rotation removes older ones. */
const maxLines = 20_000;

function lineTime(run: Run, index: number): number {
  if (index < opening) return run.started + index * 180;
  const step = run.pace;
  const jitter = (mix(run.seed, index) % 1000) / 1000 - 0.5;
  return run.started + opening * 180 + (index - opening + 1) * step + Math.round(jitter * step * 0.8);
}

/** The lines of an entry; the first entries describe the start. */
function entry(run: Run, index: number, at: number): string[] {
  const input = { name: run.name, subject: run.subject, at, roll: mix(run.seed, index) };
  if (index >= opening) return entryLines(run.style, input);
  const messages = [
    `starting ${run.name}`,
    'configuration loaded from /etc/config/app.yaml',
    'connected to upstream services',
    run.finished !== undefined && run.exitCode !== 0 ? 'warming up' : 'ready to serve',
  ];
  return [plainLine(run.style, input, messages[index] ?? '')];
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

/** Number of lines that a run has written before a time. */
function countBefore(run: Run, time: number): number {
  const end = run.finished === undefined ? time : Math.min(time, run.finished);
  let low = 0;
  let high = Math.max(opening, Math.ceil((end - run.started) / run.pace) + opening + 2);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lineTime(run, middle) < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last `tail` lines that a run wrote from one time up to, not including, another. */
export function logLines(run: Run, from: number, to: number, tail: number): LogLine[] {
  const end = countBefore(run, to);
  const first = Math.max(countBefore(run, from), end - Math.min(tail, maxLines), 0);
  const lines: LogLine[] = [];
  for (let index = first; index < end; index++) {
    const at = lineTime(run, index);
    for (const text of entry(run, index, at)) lines.push({ at, text });
  }
  if (run.finished !== undefined && run.finished <= to) {
    lines.push(...ending(run).filter((line) => line.at >= from));
  }
  return tail === 0 ? [] : lines.slice(-tail);
}

/** Lines closer together than this (ms) are sent at once. */
const burstWindow = 50;

/** The ms from a time (ms since 1970) until a run will have written its next line and `logLines` returns it. */
export function untilNextLine(run: Run, time: number): number {
  const untilLine = lineTime(run, countBefore(run, time)) - time + 1;
  return run.pace < burstWindow ? Math.max(burstWindow, untilLine) : untilLine;
}
