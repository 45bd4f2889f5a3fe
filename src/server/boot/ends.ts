import type { Logger } from 'pino';

/** Clean-ups of what was opened, in the order of its opening. */
export type Ends = (() => Promise<void>)[];

/** Runs clean-ups last to first; one that fails stops no other. */
export async function unwind(ends: Ends, log: Logger): Promise<void> {
  for (const end of ends.reverse()) {
    try {
      await end();
    } catch (error) {
      log.error({ err: error }, 'A part did not end well');
    }
  }
}
