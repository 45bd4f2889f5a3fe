import type { Outcome } from '../../contract/objects.ts';

/** Characters that objects and requests of one call's outcomes may have together, as JSON. */
export const reportLimit = 16 * 1024 * 1024;

/** The remaining size of a call's report, characters. */
export interface ReportBudget {
  left: number;
}

/**
 * An outcome as it is answered: without objects and bodies once a call has reported as much as it may. Hundreds of objects
 * of the largest size, each before and after, are more than a server holds or a page shows.
 */
export function withinReport(budget: ReportBudget, outcome: Outcome): Outcome {
  const length = lengthOf(outcome);
  if (length <= budget.left) {
    budget.left -= length;
    return outcome;
  }
  const { before, after: _after, requests, message, ...rest } = outcome;
  return {
    ...rest,
    message: before === undefined ? message : `${message} The change is too large to show.`,
    requests: requests.map(({ body: _body, ...request }) => request),
  };
}

/** Length as JSON; what is nested too deeply for it has none that fits. */
function lengthOf({ before, after, requests }: Outcome): number {
  try {
    return JSON.stringify([before, after, requests]).length;
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
