import { type JsonLine, jsonOf, levelNames } from './json.ts';

/** How loud a line is, from quiet to loud. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A field that says it: `level=error`, `"severity": "WARN"`. */
const field = /\b(?:level|lvl|severity)["']?[=:]\s*["']?(\w+)/i;
/** klog's first letter. */
const klog = /^([IWEF])\d{4} /;
const klogLevels: Readonly<Record<string, LogLevel>> = { I: 'info', W: 'warn', E: 'error', F: 'error' };
/** A word of its own among the first ones of a line: `2026-01-01 12:00:00 [ERROR] …`. PostgreSQL calls what it tells LOG. */
const word =
  /^(?:\S+\s+){0,4}?\[?(error|err|fatal|critical|crit|panic|severe|warning|warn|wrn|info|inf|notice|log(?=:)|debug|dbg|trace|trc|verbose)\b/i;

const levelsByWord: Readonly<Record<string, LogLevel>> = {
  trace: 'debug',
  trc: 'debug',
  verbose: 'debug',
  debug: 'debug',
  dbg: 'debug',
  info: 'info',
  inf: 'info',
  log: 'info',
  information: 'info',
  notice: 'info',
  warn: 'warn',
  wrn: 'warn',
  warning: 'warn',
  err: 'error',
  error: 'error',
  crit: 'error',
  critical: 'error',
  fatal: 'error',
  severe: 'error',
  panic: 'error',
  alert: 'error',
  emergency: 'error',
};

const levelOfWord = (name: string): LogLevel | undefined => {
  const lower = name.toLowerCase();
  return Object.hasOwn(levelsByWord, lower) ? levelsByWord[lower] : undefined;
};

function levelOfField(value: unknown): LogLevel | undefined {
  // Bunyan and pino count.
  if (typeof value === 'number')
    return value >= 50 ? 'error' : value >= 40 ? 'warn' : value >= 30 ? 'info' : 'debug';
  return typeof value === 'string' ? levelOfWord(value) : undefined;
}

/** How loud a line of JSON says it is. */
export function levelOfJson(json: JsonLine): LogLevel | undefined {
  for (const name of levelNames) {
    const level = Object.hasOwn(json, name) ? levelOfField(json[name]) : undefined;
    if (level !== undefined) return level;
  }
  return undefined;
}

/** How loud a log line is, by the fields and words that loggers use for it. @param text without colours */
export function levelOf(text: string): LogLevel | undefined {
  const json = jsonOf(text);
  if (json !== undefined) return levelOfJson(json);
  // Only the beginning says it; a long line is not searched for words that stand in it by chance.
  const head = text.slice(0, 400);
  const letter = klog.exec(head)?.[1];
  if (letter !== undefined) return klogLevels[letter];
  const said = field.exec(head);
  const own = word.exec(head);
  // The first level is the line's own; a later one may belong to quoted text.
  const endOf = (found: RegExpExecArray) => found.index + found[0].length;
  const first = said !== null && (own === null || endOf(said) <= endOf(own)) ? said : own;
  return levelOfWord(first?.[1] ?? '') ?? levelOfWord(own?.[1] ?? '');
}
