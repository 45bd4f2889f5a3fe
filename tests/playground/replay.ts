import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import type { Playground } from '../../src/playground/server.ts';
import { send, stream } from './client.ts';

/** One recorded exchange with a real API server. */
export interface Exchange {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    /** Whose credentials: nobody's, or the token obtained some steps before; the administrator's without it. */
    readonly as?: 'nobody' | 'token';
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly meanwhile?: readonly Exchange[];
}

/** A leaf in which the playground differs from the recording. */
export interface Difference {
  readonly exchange: string;
  readonly path: string;
  readonly recorded: unknown;
  readonly ours: unknown;
}

/** Reads a topic's recording. */
export function recording(topic: string): Exchange[] {
  return JSON.parse(readFileSync(new URL(`./wire/${topic}.json`, import.meta.url), 'utf8')) as Exchange[];
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const address = /\b(?:10\.\d+\.\d+\.\d+|127\.0\.0\.1:\d+)\b/g;

type Json = unknown;
const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the recording called something, and what the playground calls it. */
export class Names {
  readonly #ours = new Map<string, string>();

  /** Learns from a recorded and a fresh body of the same exchange. */
  learn(recorded: Json, ours: Json): void {
    if (Array.isArray(recorded) && Array.isArray(ours)) {
      for (const [index, item] of recorded.entries()) this.learn(item, ours[index]);
      return;
    }
    if (!isRecord(recorded) || !isRecord(ours)) return;
    for (const [key, value] of Object.entries(recorded)) {
      const mine = ours[key];
      if (typeof value === 'string' && typeof mine === 'string') {
        if (['resourceVersion', 'uid', 'continue', 'token'].includes(key))
          this.#ours.set(`${key}:${value}`, mine);
        if (key === 'name' && typeof recorded['generateName'] === 'string')
          this.#ours.set(`name:${value}`, mine);
      } else this.learn(value, mine);
    }
  }

  get(kind: string, recorded: string): string | undefined {
    return this.#ours.get(`${kind}:${recorded}`);
  }

  /** A recorded path with the playground's versions, tokens and names. */
  path(path: string): string {
    const [plain = '', query] = path.split('?');
    const renamed = plain
      .split('/')
      .map((part) => this.get('name', part) ?? part)
      .join('/');
    if (query === undefined) return renamed;
    const parts = query.split('&').map((part) => {
      const [key = '', ...rest] = part.split('=');
      const value = rest.join('=');
      const mine =
        this.get(key, value) ?? this.get('resourceVersion', key === 'resourceVersion' ? value : '');
      return `${key}=${mine ?? value}`;
    });
    return `${renamed}?${parts.join('&')}`;
  }

  /** A recorded body with the playground's versions and uids. */
  body(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.body(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        typeof item === 'string' ? (this.get(key, item) ?? item) : this.body(item),
      ]),
    );
  }
}

/** Replaces what must differ between two runs of the same server. */
export function mask(value: Json, key = '', parent?: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => mask(item, key, parent));
    if (key === 'resourceRules' || key === 'nonResourceRules') {
      return items.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    }
    return items;
  }
  if (isRecord(value)) {
    const entries = Object.entries(value)
      .filter(([name]) => name !== 'description')
      .map(([name, item]) => [name, mask(item, name, value)]);
    return Object.fromEntries(entries) as Json;
  }
  if (typeof value === 'number' && key === 'nodePort') return '<port>';
  if (typeof value !== 'string') return value;
  if (key === 'resourceVersion') return '<version>';
  if (key === 'continue') return '<continue>';
  if (key === 'token') return '<token>';
  if (key === 'name' && isRecord(parent) && typeof parent['generateName'] === 'string') {
    return `${parent['generateName']}<generated>`;
  }
  if (key === 'cells' && /^(\d+[smhd])+$/.test(value)) return '<age>';
  return value
    .replace(uid, '<uid>')
    .replace(time, '<time>')
    .replace(address, '<address>')
    .replace(/\?hash=[0-9A-F]+/g, '?hash=<hash>')
    .replace(/("resourceVersion\\?":\\?")\d+/g, '$1<version>')
    .replace(/(too old resource version: \d+) \(\d+\)/, '$1 (<version>)');
}

/** The leaves in which two masked values differ. */
export function compare(
  recorded: Json,
  ours: Json,
  path = '',
): { path: string; recorded: Json; ours: Json }[] {
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    const length = Math.max(recorded.length, ours.length);
    return Array.from({ length }, (_, index) =>
      compare(recorded[index], ours[index], `${path}[${index}]`),
    ).flat();
  }
  if (isRecord(recorded) && isRecord(ours)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(ours)]);
    return [...keys].flatMap((key) =>
      compare(recorded[key], ours[key], path === '' ? key : `${path}.${key}`),
    );
  }
  return Object.is(recorded, ours) ? [] : [{ path, recorded, ours }];
}

const headers = ['content-type', 'warning', 'x-content-type-options', 'retry-after', 'location'];

function parseText(text: string, contentType: string): Json {
  if (contentType.includes('yaml')) return parseYaml(text);
  if (!contentType.includes('json')) return text;
  return JSON.parse(text) as Json;
}

const isWatch = (exchange: Exchange) => /[?&]watch=(1|true)/.test(exchange.request.path);

/** Sends one exchange to a playground and tells where its answer differs from the recorded one. */
export async function replay(
  playground: Playground,
  exchange: Exchange,
  names: Names,
): Promise<Difference[]> {
  const { request, response } = exchange;
  const body = request.body;
  const text =
    body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(names.body(body));
  const sent = {
    method: request.method,
    path: names.path(request.path),
    headers: request.headers,
    ...(text === undefined ? {} : { body: text }),
    ...(request.as === 'nobody' ? { token: null } : {}),
    ...(request.as === 'token' ? { token: names.get('token', '<token>') ?? 'none' } : {}),
  };
  const name = exchange.name;
  const found = (differences: { path: string; recorded: Json; ours: Json }[]): Difference[] =>
    differences.map((difference) => ({ exchange: name, ...difference }));

  if (isWatch(exchange)) {
    const expected = response.body as Json[];
    const opened = await stream(playground, sent);
    const inner: Difference[] = [];
    for (const other of exchange.meanwhile ?? []) inner.push(...(await replay(playground, other, names)));
    await opened.until(expected.length, 1_500);
    if (request.path.includes('timeoutSeconds')) await opened.ended;
    opened.close();
    const ours = opened.lines.map((line) => JSON.parse(line) as Json);
    names.learn(expected, ours);
    return [
      ...inner,
      ...found(compare(response.status, opened.status, 'status')),
      ...found(compareHeaders(response.headers, opened.headers)),
      ...found(compare(mask(expected), mask(ours), 'events')),
    ];
  }
  const answer = await send(playground, sent);
  const contentType = response.headers['content-type'] ?? '';
  const recorded = contentType.includes('yaml') ? parseYaml(String(response.body)) : response.body;
  let ours: Json;
  try {
    ours = parseText(answer.text, answer.headers['content-type'] ?? '');
  } catch {
    ours = answer.text;
  }
  names.learn(recorded, ours);
  return [
    ...found(compare(response.status, answer.status, 'status')),
    ...found(compareHeaders(response.headers, answer.headers)),
    ...found(compare(mask(recorded), mask(ours), 'body')),
  ];
}

function compareHeaders(recorded: Readonly<Record<string, string>>, ours: Readonly<Record<string, unknown>>) {
  return headers.flatMap((header) => compare(recorded[header], ours[header], `header ${header}`));
}
