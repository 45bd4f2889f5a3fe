import { isValidUser } from '../data/session.ts';
import { listTargetAt } from '../resource/list-target.ts';
import type { App } from './context.ts';

/**
 * Asks for what the first screen waits for while nothing is drawn yet: who is signed in, then at once their clusters and,
 * where the address is a list's, its rows. Nothing fails here: the screens ask for the same, and say what went wrong.
 */
export async function askAhead({
  queryClient,
  queries,
  workspace,
  registry,
  live,
  kinds,
  columnChoices,
}: App) {
  await queryClient.prefetchQuery(queries.session);
  const user = queryClient.getQueryData(queries.session.queryKey);
  if (user === undefined || user === null || !isValidUser(user) || workspace.state.get().bare !== null)
    return;
  void queryClient.prefetchQuery(queries.clusters);
  live.open();
  const href = workspace.href();
  const target = listTargetAt(href, registry.match(href), kinds, columnChoices.get());
  if (target !== undefined) live.ahead(target);
}
