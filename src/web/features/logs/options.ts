import type { Search } from '../../workspace/search.ts';
import { readPaths, writePaths } from './columns.ts';
import type { FieldPath } from './json.ts';
import { type LogLevel, logLevels } from './level.ts';

/** How far back a log is read; `start` is all that the cluster has. */
export const sinceChoices = [
  { value: '', label: 'Any time', seconds: undefined },
  { value: '1m', label: 'Last minute', seconds: 60 },
  { value: '5m', label: 'Last 5 minutes', seconds: 300 },
  { value: '15m', label: 'Last 15 minutes', seconds: 900 },
  { value: '1h', label: 'Last hour', seconds: 3_600 },
  { value: '6h', label: 'Last 6 hours', seconds: 21_600 },
  { value: '24h', label: 'Last day', seconds: 86_400 },
  { value: 'start', label: 'Since the start', seconds: undefined },
] as const;
export type Since = (typeof sinceChoices)[number]['value'];

/** How times are written. */
export const timeChoices = [
  { value: 'local', label: 'Time of day' },
  { value: 'full', label: 'Date and time' },
  { value: 'utc', label: 'Date and time, UTC' },
  { value: 'relative', label: 'How long ago' },
  { value: 'none', label: 'No times' },
] as const;
export type Times = (typeof timeChoices)[number]['value'];

/** Lines from the end of each container. */
export const tailChoices = ['100', '500', '2000', '10000', '100000'] as const;
export type Tail = (typeof tailChoices)[number];

/** The options of a log view; all of them are in the tab's address. */
export interface LogOptions {
  readonly container: string;
  readonly previous: boolean;
  readonly since: Since;
  readonly tail: Tail;
  readonly times: Times;
  readonly isWrapped: boolean;
  readonly query: string;
  readonly isRegex: boolean;
  /** Only lines that match. */
  readonly isOnly: boolean;
  /** The least loud lines that are shown. */
  readonly level: LogLevel | undefined;
  /** Lines of JSON are written as their message and fields; as they came without it. */
  readonly hasFields: boolean;
  /** Fields of lines of JSON that have columns; undefined: those that were chosen last. */
  readonly columns: readonly FieldPath[] | undefined;
}

const one = <T extends string>(value: string | undefined, choices: readonly T[], usual: T): T =>
  choices.find((choice) => choice === value) ?? usual;

/** Reads the options from a tab's search; what is unknown there is as if it were not. */
export function readOptions(search: Search, usualContainer: string): LogOptions {
  const since = one<Since>(
    search.since,
    sinceChoices.map(({ value }) => value),
    '',
  );
  return {
    container: search.container ?? usualContainer,
    previous: search.previous === 'true',
    since,
    tail: one<Tail>(search.tail, tailChoices, since === '' ? '2000' : '100000'),
    times: one<Times>(
      search.times,
      timeChoices.map(({ value }) => value),
      'local',
    ),
    isWrapped: search.wrap !== 'off',
    query: search.find ?? '',
    isRegex: search.regex === 'true',
    isOnly: search.only === 'true',
    level: logLevels.find((level) => level === search.level),
    hasFields: search.fields !== 'off',
    columns: search.columns === undefined ? undefined : readPaths(search.columns),
  };
}

/** A change of options as a change of the search; what is usual is left out of the address. */
export function writeOptions(change: Partial<LogOptions>): Readonly<Record<string, string | undefined>> {
  const flag = (value: boolean) => (value ? 'true' : undefined);
  return {
    ...('container' in change ? { container: change.container } : {}),
    ...('previous' in change ? { previous: flag(change.previous === true) } : {}),
    ...('since' in change ? { since: change.since === '' ? undefined : change.since, tail: undefined } : {}),
    ...('tail' in change ? { tail: change.tail } : {}),
    ...('times' in change ? { times: change.times === 'local' ? undefined : change.times } : {}),
    ...('isWrapped' in change ? { wrap: change.isWrapped === false ? 'off' : undefined } : {}),
    ...('query' in change ? { find: change.query === '' ? undefined : change.query } : {}),
    ...('isRegex' in change ? { regex: flag(change.isRegex === true) } : {}),
    ...('isOnly' in change ? { only: flag(change.isOnly === true) } : {}),
    ...('level' in change ? { level: change.level } : {}),
    ...('hasFields' in change ? { fields: change.hasFields === false ? 'off' : undefined } : {}),
    ...('columns' in change
      ? { columns: change.columns === undefined ? undefined : writePaths(change.columns) || undefined }
      : {}),
  };
}

/** The next of some choices, round the end. */
export function nextOf<T>(choices: readonly T[], present: T): T {
  const next = choices[(choices.indexOf(present) + 1) % choices.length];
  return next ?? present;
}

/** The part of the log that the server reads for these options. */
export function spanOf({ since, tail }: Pick<LogOptions, 'since' | 'tail'>): {
  readonly tailLines: number;
  readonly sinceSeconds?: number;
} {
  const seconds = sinceChoices.find(({ value }) => value === since)?.seconds;
  return { tailLines: Number(tail), ...(seconds === undefined ? {} : { sinceSeconds: seconds }) };
}
