import type { ClientBase } from 'pg';

type AnyQuery = (...all: unknown[]) => unknown;

/**
 * Makes the statements of a connection wait for one another before they are handed to pg, which warns of those that come
 * while another one runs and will refuse them.
 */
export function oneAtATime(client: Pick<ClientBase, 'query'>): void {
  const query = client.query.bind(client) as AnyQuery;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: AnyQuery = (...all) => {
    const answer = last.then(() => query(...all));
    last = answer.catch(() => undefined);
    return answer;
  };
  client.query = inTurn as ClientBase['query'];
}
