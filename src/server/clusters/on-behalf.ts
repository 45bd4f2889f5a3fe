import { AsyncLocalStorage } from 'node:async_hooks';

const asking = new AsyncLocalStorage<number>();

/**
 * Runs something for a person: the requests that it sends to clusters count as theirs, including those from timers that
 * it sets. Requests for something shared, as a list with several readers, count as those of the person who opened it.
 * @param person id
 */
export function onBehalfOf<T>(person: number, run: () => T): T {
  return asking.run(person, run);
}

/** Id of the person for whom this runs; undefined for what the console does of its own accord. */
export function askingPerson(): number | undefined {
  return asking.getStore();
}
