import type { ClientBase } from 'pg';

type AnyQuery = (...all: unknown[]) => unknown;

/**
 * Makes the statements of a connection wait for one another before they are handed to pg, which warns of those that come
 * while another one runs and will refuse them.
 * @param onFailure is given the error of each statement that fails
 */
export function oneAtATime(
  client: Pick<ClientBase, 'query'>,
  onFailure: (error: unknown) => void = () => undefined,
): void {
  const query = client.query.bind(client) as AnyQuery;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: AnyQuery = (...all) => {
    const answer = last.then(() => query(...withFailures(all, onFailure)));
    last = answer.catch(onFailure);
    return answer;
  };
  client.query = inTurn as ClientBase['query'];
}

/** The arguments of a statement; one that ends by a callback, as those of pools do, says by it that it failed. */
function withFailures(all: readonly unknown[], onFailure: (error: unknown) => void): readonly unknown[] {
  const done = all.at(-1);
  if (typeof done !== 'function') return all;
  const noted: AnyQuery = (error, ...rest) => {
    if (error !== null && error !== undefined) onFailure(error);
    return (done as AnyQuery)(error, ...rest);
  };
  return [...all.slice(0, -1), noted];
}
