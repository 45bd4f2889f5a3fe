import { type JsonLine, jsonOf, levelNames } from './json.ts';

/** How loud a line is, from quiet to loud. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

const error =
  /^(?:\S+ ){0,4}(?:\[?(?:ERROR|ERR|FATAL|CRITICAL|CRIT|PANIC|SEVERE)\]?\b)|\b(?:level|lvl|severity)["']?[=:]\s*["']?(?:error|err|fatal|critical|panic)\b|^[EF]\d{4} |^panic: /i;
const warning =
  /^(?:\S+ ){0,4}(?:\[?(?:WARNING|WARN|WRN)\]?\b)|\b(?:level|lvl|severity)["']?[=:]\s*["']?warn(?:ing)?\b|^W\d{4} /i;
const info =
  /^(?:\S+ ){0,4}(?:\[?(?:INFO|INF|NOTICE)\]?\b)|\b(?:level|lvl|severity)["']?[=:]\s*["']?(?:info|notice)\b|^I\d{4} /i;
const debug =
  /^(?:\S+ ){0,4}(?:\[?(?:DEBUG|DBG|TRACE|TRC|VERBOSE)\]?\b)|\b(?:level|lvl|severity)["']?[=:]\s*["']?(?:debug|trace|verbose)\b/i;

const words: Readonly<Record<string, LogLevel>> = {
  trace: 'debug',
  verbose: 'debug',
  debug: 'debug',
  info: 'info',
  information: 'info',
  notice: 'info',
  warn: 'warn',
  warning: 'warn',
  err: 'error',
  error: 'error',
  crit: 'error',
  critical: 'error',
  fatal: 'error',
  panic: 'error',
  alert: 'error',
  emergency: 'error',
};

function levelOfField(value: unknown): LogLevel | undefined {
  // Bunyan and pino count.
  if (typeof value === 'number')
    return value >= 50 ? 'error' : value >= 40 ? 'warn' : value >= 30 ? 'info' : 'debug';
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  return Object.hasOwn(words, word) ? words[word] : undefined;
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
  if (error.test(head)) return 'error';
  if (warning.test(head)) return 'warn';
  if (info.test(head)) return 'info';
  return debug.test(head) ? 'debug' : undefined;
}
