import type { Browser } from 'playwright';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds by the clock, and of the thread. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Of the tasks that the browser calls long, over 50 ms, those over so many ms. */
export const longerThan = (limit: number, tasks: readonly number[]): readonly number[] =>
  tasks.filter((took) => took > limit);

/** The long tasks of a while. */
export interface LongTasks {
  /** Of each, how long its thread worked, ms. */
  readonly long: readonly number[];
  /** How many others were as long by the clock alone. */
  readonly waited: number;
}

/** Runs something and gives the pages' tasks over `limit` ms meanwhile, from a trace of nothing but tasks. */
export async function longTasksDuring(
  browser: Browser,
  limit: number,
  run: () => Promise<unknown>,
): Promise<LongTasks> {
  await browser.startTracing(undefined, { categories: ['-*', 'toplevel'] });
  let trace: Buffer;
  try {
    await run();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('The trace has no tasks of a main thread.');
  const isLong = (micros = 0) => micros > limit * 1000;
  return {
    long: tasks.filter(({ tdur }) => isLong(tdur)).map(({ tdur = 0 }) => tdur / 1000),
    waited: tasks.filter(({ dur, tdur }) => isLong(dur) && !isLong(tdur)).length,
  };
}
