import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { describeError } from './describe-error.ts';
import { RepeatedLines } from './repeated-lines.ts';

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

/** Levels of warnings and errors, by their numbers in pino. */
const levels = { warn: 40, error: 50 } as const;

/**
 * The server's log: one JSON line each on standard output, errors by allow-list, secrets left out. A warning with an
 * error that says the same as one within the last minute goes to the level debug; the next one says how many did.
 * @param to instead of standard output
 */
export function createLog(
  config: Pick<Config, 'logLevel'>,
  to?: DestinationStream,
  now: () => number = () => systemClock.now(),
): Logger {
  const repeated = new RepeatedLines(now);
  const options: LoggerOptions = {
    level: config.logLevel,
    serializers: { err: (error: unknown) => (error instanceof Error ? describeError(error) : error) },
    redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[left out]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: null,
    hooks: {
      logMethod(args, method, level) {
        const [details, message] = args as unknown as [unknown, unknown];
        if (
          level < levels.warn ||
          level > levels.error ||
          typeof message !== 'string' ||
          !hasError(details)
        ) {
          method.apply(this, args);
          return;
        }
        const leftOut = repeated.take(details, message);
        if (leftOut === undefined) this.debug(details, message);
        else if (leftOut === 0) method.apply(this, args);
        else method.call(this, { ...details, repeated: leftOut }, message);
      },
    },
  };
  return to === undefined ? pino(options) : pino(options, to);
}

function hasError(details: unknown): details is Readonly<Record<string, unknown>> {
  return typeof details === 'object' && details !== null && 'err' in details;
}
