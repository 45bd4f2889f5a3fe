import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** How the soak is called. */
export const usage = `npm run soak -- [--minutes 20] [--pages 50] [--changes 200] [--pods 1000] [--streams 5] [--servers 3]
                [--seed N] [--folder soak-results] [--kills on|off]
npm run soak -- --e2e [FILE …]
--streams: logs and as many shells; --kills: 200 kill -9 of a single server while it writes, at the end.
--e2e runs the end-to-end tests, or some files of them, against that many servers behind the round-robin.
Exits 1 when a claim is broken; tests/bench/README.md says what each means.`;

/** What a soak is told. */
export interface SoakOptions {
  readonly minutes: number;
  readonly pages: number;
  /** Changes per second. */
  readonly changes: number;
  readonly pods: number;
  /** Logs, and as many shells. */
  readonly streams: number;
  readonly servers: number;
  readonly seed: number;
  /** Where the summary goes, absolute path. */
  readonly folder: string;
  /** Whether the kills of a single server are part of it. */
  readonly withKills: boolean;
  /** The end-to-end files to run in place of a soak, all of them for none; undefined: a soak. */
  readonly e2e: readonly string[] | undefined;
}

/** Reads the arguments; undefined where help is asked for. Throws a sentence about a value that is none. */
export function readOptions(args: readonly string[]): SoakOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      minutes: { type: 'string', default: '20' },
      pages: { type: 'string', default: '50' },
      changes: { type: 'string', default: '200' },
      pods: { type: 'string', default: '1000' },
      streams: { type: 'string', default: '5' },
      servers: { type: 'string', default: '3' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      folder: { type: 'string', default: 'soak-results' },
      kills: { type: 'string', default: 'on' },
      e2e: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const whole = (
    name: 'minutes' | 'pages' | 'changes' | 'pods' | 'streams' | 'servers' | 'seed',
    least = 1,
  ): number => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < least)
      throw new Error(`--${name} must be a whole number from ${least} on, not "${values[name]}".`);
    return number;
  };
  if (values.kills !== 'on' && values.kills !== 'off')
    throw new Error(`--kills is "on" or "off", not "${values.kills}".`);
  return {
    minutes: whole('minutes'),
    pages: whole('pages'),
    changes: whole('changes'),
    pods: whole('pods', 20),
    streams: whole('streams', 0),
    servers: whole('servers', 2),
    seed: whole('seed', 0),
    folder: resolve(values.folder),
    withKills: values.kills === 'on',
    e2e: values.e2e ? positionals : undefined,
  };
}
