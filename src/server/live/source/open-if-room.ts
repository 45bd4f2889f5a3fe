import { Problem } from '../../../contract/problem.ts';

/**
 * Opens a list. Undefined where the cluster has too many lists open already: what the list would add is left out.
 * Throws every error that is no Problem.
 */
export function openIfRoom<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
