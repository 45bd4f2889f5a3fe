import type { Call } from './calls.ts';
import list from './later-calls.json' with { type: 'json' };

/** The calls of `api.ts` that no first list waits for, as `firstCalls` has the others. */
export const laterCalls: Readonly<Record<string, Call | undefined>> = list as Readonly<
  Record<string, unknown>
> as Readonly<Record<string, Call>>;
