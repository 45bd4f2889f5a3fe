/** One field of a cron schedule: its bounds and the names of its values. */
interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  {
    min: 1,
    max: 12,
    names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const descriptors = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

/** A schedule that cannot be parsed; the message is that of the server's library. */
class ScheduleError extends Error {}

function parseWhole(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) {
    throw new ScheduleError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  const value = Number(text);
  if (value < 0) throw new ScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}

const numberOrName = (text: string, { names = [] }: Field): number => {
  const index = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return index >= 0 ? index : parseWhole(text);
};

function checkRange(text: string, field: Field): void {
  const [range = '', step, ...moreSteps] = text.split('/');
  const [from = '', to, ...moreEnds] = range.split('-');
  let start = field.min;
  let end = field.max;
  if (from !== '*' && from !== '?') {
    start = numberOrName(from, field);
    if (moreEnds.length > 0) throw new ScheduleError(`too many hyphens: ${text}`);
    end = to === undefined ? start : numberOrName(to, field);
  }
  if (moreSteps.length > 0) throw new ScheduleError(`too many slashes: ${text}`);
  const interval = step === undefined ? 1 : parseWhole(step);
  if (step !== undefined && to === undefined) end = field.max;
  if (start < field.min) {
    throw new ScheduleError(`beginning of range (${start}) below minimum (${field.min}): ${text}`);
  }
  if (end > field.max) throw new ScheduleError(`end of range (${end}) above maximum (${field.max}): ${text}`);
  if (start > end)
    throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (interval === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
}

/** The error of the server's library for a text that is no cron schedule; undefined when it is one. */
export function scheduleProblem(text: string): string | undefined {
  const schedule = text.replace(/^(?:CRON_)?TZ=\S+\s*/, '');
  if (schedule.startsWith('@')) {
    if (descriptors.has(schedule)) return undefined;
    const interval = /^@every (.*)$/.exec(schedule)?.[1];
    if (interval === undefined) return `unrecognized descriptor: ${schedule}`;
    return /^(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/.test(interval)
      ? undefined
      : `failed to parse duration ${schedule}: time: invalid duration ${JSON.stringify(interval)}`;
  }
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== fields.length) {
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  }
  try {
    for (const [index, part] of parts.entries()) {
      const field = fields[index];
      if (field !== undefined) for (const range of part.split(',').filter(Boolean)) checkRange(range, field);
    }
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}
