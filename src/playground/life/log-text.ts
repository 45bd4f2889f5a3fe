import { componentMessages, type LogLevel, programMessages, messageOf, activitiesOf } from './log-voices.ts';

/** A log format. */
export type Style =
  | 'access'
  | 'json'
  | 'logfmt'
  | 'klog'
  | 'dns'
  | 'etcd'
  | 'postgres'
  | 'redis'
  | 'java'
  | 'colours';

/** Inputs of a log entry. */
export interface EntryInput {
  readonly name: string;
  /** Names of the image and the container, which select the content. */
  readonly subject: string;
  /** Time of the entry, ms since 1970. */
  readonly at: number;
  /** Random 32-bit integer, fixed for the entry. */
  readonly roll: number;
}

const styles: readonly (readonly [RegExp, Style])[] = [
  [/nginx|ingress|envoy|traefik|frontend|storefront|status-page/, 'access'],
  [/postgres|pg-backup/, 'postgres'],
  [/redis/, 'redis'],
  [/coredns/, 'dns'],
  [/etcd/, 'etcd'],
  [/prometheus|loki|alertmanager|grafana|otel|exporter|vault|thanos|cilium|external-dns|argocd/, 'logfmt'],
  [/kube-|cert-manager|csi|metrics-server|keda/, 'klog'],
  [/payments-api|ledger|settlement|search|fraud|psp|checkout/, 'java'],
  [/cart|email|recommendations|runner|report|feature-flags/, 'colours'],
];

/** The log format of a container, from its image and name. */
export function styleOf(image: string, name: string): Style {
  return styles.find(([pattern]) => pattern.test(`${image} ${name}`))?.[1] ?? 'json';
}

const pick = <T>(list: readonly [T, ...T[]], roll: number): T => list[roll % list.length] ?? list[0];
const hex = (value: number) => value.toString(16).padStart(8, '0');
const iso = (time: number) => new Date(time).toISOString();
const two = (value: number) => String(value).padStart(2, '0');

const paths = [
  '/',
  '/api/cart',
  '/api/products?page=2',
  '/api/orders',
  '/healthz',
  '/static/app.8f31c2.js',
  '/api/search?q=lamp',
] as const;
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15',
  'kube-probe/1.36',
] as const;

/** A time in the common log format: 01/Mar/2026:08:00:00 +0000. */
function common(time: number): string {
  const [, day = '', month = '', year = '', clock = ''] = new Date(time).toUTCString().split(/[ ,]+/);
  return `${day}/${month}/${year}:${clock} +0000`;
}

const trace = [
  'java.net.SocketTimeoutException: Read timed out',
  '\tat java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:288)',
  '\tat java.base/java.net.Socket$SocketInputStream.read(Socket.java:1105)',
  '\tat org.apache.hc.core5.http.impl.io.SessionInputBufferImpl.fillBuffer(SessionInputBufferImpl.java:149)',
  '\tat example.acme.http.BankClient.authorise(BankClient.java:87)',
  '\tat example.acme.pay.AuthorisationService.lambda$run$3(AuthorisationService.java:142)',
  '\t... 34 more',
];

const levels: Readonly<Record<string, string>> = {
  info: '\u001b[32mINFO\u001b[39m ',
  warn: '\u001b[33mWARN\u001b[39m ',
  error: '\u001b[31mERROR\u001b[39m',
};

/** The level of an entry: mostly info, some warnings, few errors. */
const levelOf = (roll: number): LogLevel => (roll % 41 === 0 ? 'error' : roll % 13 === 0 ? 'warn' : 'info');

/** The head of a klog line: level, time, thread. */
function klogHead(at: number, level: LogLevel, roll: number): string {
  const time = new Date(at);
  const day = `${two(time.getUTCMonth() + 1)}${two(time.getUTCDate())}`;
  const micro = `${iso(at).slice(11, 23)}${String(roll % 1000).padStart(3, '0')}`;
  return `${level.charAt(0).toUpperCase()}${day} ${micro}       1`;
}

/** Names that CoreDNS logs as looked up. */
const lookedUp = [
  'cart.shop.svc.cluster.local',
  'shop-postgres.shop.svc.cluster.local',
  'ledger.payments.svc.cluster.local',
  'api.bank.example.shop.svc.cluster.local',
  'kubernetes.default.svc.cluster.local',
] as const;

/** "payments-api" as a Java class name: PaymentsApi. */
const subjectOf = (name: string) =>
  name.replace(/(?:^|-)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

type Writer = (input: EntryInput) => string[];

const writers: Readonly<Record<Style, Writer>> = {
  access: ({ at, roll }) => {
    const path = pick(paths, roll);
    const code = roll % 53 === 0 ? 502 : roll % 19 === 0 ? 404 : 200;
    const method = path === '/api/orders' && roll % 3 === 0 ? 'POST' : 'GET';
    const agent = path === '/healthz' ? agents[2] : (agents[(roll >>> 9) % 2] ?? agents[0]);
    const address = `10.244.${roll % 6}.${(roll >>> 8) % 250}`;
    const seconds = ((roll % 400) / 1000).toFixed(3);
    return [
      `${address} - - [${common(at)}] "${method} ${path} HTTP/1.1" ${code} ${300 + (roll % 9000)} "-" "${agent}" ${seconds}`,
    ];
  },
  json: ({ at, roll, name, subject }) => {
    const level = levelOf(roll);
    const base = {
      time: iso(at),
      level,
      msg: pick(activitiesOf(subject), roll),
      trace: hex(roll),
      duration_ms: roll % 480,
    };
    if (level !== 'error') return [JSON.stringify(base)];
    const err = { type: 'TimeoutError', message: 'upstream did not answer within 2000 ms' };
    return [JSON.stringify({ ...base, msg: 'request failed', component: name, err })];
  },
  logfmt: ({ at, roll, subject }) => {
    const messages = programMessages(subject);
    const { text, level } = messageOf(messages, levelOf(roll), roll);
    return [
      `time=${iso(at)} level=${level.toUpperCase()} source=${messages.source}:${100 + (roll % 900)} ${text}`,
    ];
  },
  klog: ({ at, roll, subject }) => {
    const { text, level } = messageOf(componentMessages(subject), levelOf(roll), roll);
    return [`${klogHead(at, level, roll)} ${text}`];
  },
  dns: ({ at, roll }) => {
    if (roll % 41 === 0) {
      const why = `read udp 10.244.0.${roll % 250}:${40_000 + (at % 20_000)}->10.20.0.2:53: i/o timeout`;
      return [`[ERROR] plugin/errors: 2 ${pick(lookedUp, roll >>> 5)}. A: ${why}`];
    }
    const query = `"${roll % 3 === 0 ? 'AAAA' : 'A'} IN ${pick(lookedUp, roll >>> 5)}. udp ${40 + (roll % 60)} false 1232"`;
    const answer = roll % 7 === 0 ? 'NXDOMAIN qr,aa,rd 150' : `NOERROR qr,aa,rd ${90 + (roll % 60)}`;
    const client = `10.244.${roll % 6}.${(roll >>> 8) % 250}:${32_768 + (roll % 28_000)}`;
    return [`[INFO] ${client} - ${roll % 65_536} ${query} ${answer} 0.000${100 + (roll % 800)}s`];
  },
  etcd: ({ at, roll }) => {
    const took = `${(roll % 90_000) / 1000}ms`;
    const revision = Math.floor(at / 4_000);
    const line = (level: string, caller: string, msg: string, fields: object) => [
      JSON.stringify({ level, ts: iso(at), caller, msg, ...fields }),
    ];
    if (levelOf(roll) !== 'info') {
      const fields = { took, 'expected-duration': '100ms' };
      return line('warn', 'etcdserver/util.go:170', 'apply request took too long', fields);
    }
    return roll % 2 === 0
      ? line('info', 'mvcc/index.go:194', 'compact tree index', { revision })
      : line('info', 'mvcc/kvstore_compaction.go:72', 'finished scheduled compaction', { revision, took });
  },
  postgres: ({ at, roll }) => {
    const head = `${iso(at).slice(0, 23).replace('T', ' ')} UTC [${20 + (roll % 90)}]`;
    if (roll % 37 === 0) {
      return [
        `${head} ERROR:  duplicate key value violates unique constraint "orders_pkey"`,
        `${head} DETAIL:  Key (id)=(${roll % 100000}) already exists.`,
        `${head} STATEMENT:  INSERT INTO orders (id, total) VALUES ($1, $2)`,
      ];
    }
    return [
      pick(
        [
          `${head} LOG:  checkpoint complete: wrote ${roll % 4000} buffers; write=${(roll % 300) / 10} s, sync=0.004 s`,
          `${head} LOG:  duration: ${(roll % 90000) / 100} ms  statement: SELECT * FROM orders WHERE customer = $1`,
          `${head} LOG:  connection authorized: user=app database=shop application_name=api`,
        ],
        roll,
      ),
    ];
  },
  redis: ({ at, roll }) => {
    const [, day = '', month = '', year = '', clock = ''] = new Date(at).toUTCString().split(/[ ,]+/);
    const message = pick(
      [
        `${roll % 900} changes in 300 seconds. Saving...`,
        'Background saving started by pid 214',
        'DB saved on disk',
        'Background saving terminated with success',
      ],
      roll,
    );
    return [`1:M ${day} ${month} ${year} ${clock}.${String(at % 1000).padStart(3, '0')} * ${message}`];
  },
  java: ({ at, roll, name, subject }) => {
    const level = levelOf(roll);
    const levelText = level.toUpperCase().padStart(5);
    const logger = `e.acme.${subjectOf(name)}Service`.padEnd(40);
    const head = `${iso(at)} ${levelText} 1 --- [${name}] [nio-8080-exec-${1 + (roll % 9)}] ${logger} :`;
    if (level === 'error') {
      return [`${head} Request ${hex(roll)} failed`, '', ...trace, ''];
    }
    return [`${head} ${pick(activitiesOf(subject), roll)} in ${roll % 480} ms (${hex(roll)})`];
  },
  colours: ({ at, roll, name, subject }) => {
    const level = levelOf(roll);
    const head = `\u001b[90m${iso(at).slice(11, 23)}\u001b[39m ${levels[level] ?? ''} \u001b[36m${name}\u001b[39m`;
    if (level === 'error') {
      return [
        `${head} \u001b[31mjob ${hex(roll)} failed\u001b[39m`,
        '\u001b[31m    Error: connect ETIMEDOUT 10.96.44.12:5432\u001b[39m',
        '\u001b[90m        at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16)\u001b[39m',
        '\u001b[90m        at async Queue.work (/app/dist/queue.js:58:9)\u001b[39m',
      ];
    }
    return [`${head} ${pick(activitiesOf(subject), roll)} \u001b[90m+${roll % 480}ms\u001b[39m`];
  },
};

/** The lines of one entry. */
export function entryLines(style: Style, input: EntryInput): string[] {
  return writers[style](input);
}

/** A message in the application's log format. */
export function plainLine(style: Style, { name, at, roll }: EntryInput, message: string): string {
  switch (style) {
    case 'json':
      return JSON.stringify({ time: iso(at), level: 'info', msg: message, component: name });
    case 'logfmt':
      return `time=${iso(at)} level=INFO source=main.go:${100 + (roll % 90)} msg="${message}"`;
    case 'postgres':
      return `${iso(at).slice(0, 23).replace('T', ' ')} UTC [1] LOG:  ${message}`;
    case 'colours':
      return `\u001b[90m${iso(at).slice(11, 23)}\u001b[39m ${levels['info'] ?? ''} \u001b[36m${name}\u001b[39m ${message}`;
    case 'access':
      return `${iso(at).slice(0, 19).replace('T', ' ')} [notice] 1#1: ${message}`;
    case 'java':
      return `${iso(at)}  INFO 1 --- [${name}] [           main] e.acme.Application                       : ${message}`;
    case 'klog':
      return `${klogHead(at, 'info', roll)} main.go:${100 + (roll % 90)}] "${message}"`;
    case 'dns':
      return `[INFO] ${message}`;
    case 'etcd':
      return JSON.stringify({ level: 'info', ts: iso(at), caller: 'embed/etcd.go:308', msg: message });
    case 'redis':
      return `${iso(at)} ${message}`;
    default:
      return style satisfies never;
  }
}
