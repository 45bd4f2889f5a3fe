import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { describeError } from './describe-error.ts';

/** Keys whose values never reach the log, at any depth. */
const secret = [
  'authorization',
  'cookie',
  'kubeConfigContent',
  'kubeconfig',
  'password',
  'secret',
  'setup',
  'token',
];

/** The server's log: one JSON line each on standard output, errors by allow-list, secrets left out. */
export function createLog(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    serializers: { err: (error: unknown) => (error instanceof Error ? describeError(error) : error) },
    redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[left out]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: null,
  });
}
