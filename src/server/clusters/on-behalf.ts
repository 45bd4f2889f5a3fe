import { AsyncLocalStorage } from 'node:async_hooks';

const asking = new AsyncLocalStorage<number>();

/**
 * Runs something for a person: whatever it asks of clusters counts as theirs, also later and from timers it sets. What
 * people share (a list that several look at) counts as the doing of whoever opened it.
 * @param person id
 */
export function onBehalfOf<T>(person: number, run: () => T): T {
  return asking.run(person, run);
}

/** Id of the person for whom this runs; undefined for what the console does of its own accord. */
export function askingPerson(): number | undefined {
  return asking.getStore();
}
