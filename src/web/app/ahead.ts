import { isValidUser } from '../data/valid-user.ts';
import { listTargetAt } from '../features/list/list-target.ts';
import { loadScreen } from '../workspace/screens.ts';
import type { App } from './app.ts';

/**
 * Asks for what the first screen waits for while nothing is drawn yet: who is signed in, then at once their clusters and,
 * where the address is a list's, its rows. Nothing fails here: the screens ask for the same, and say what went wrong.
 */
export async function askAhead({ data, tiles, registry, kept }: App) {
  const { queryClient, queries, live, kinds } = data;
  const { workspace } = tiles;
  const href = workspace.href();
  const match = registry.match(href);
  // A screen that is there when its tab is first drawn is drawn with it.
  if (match !== undefined) void loadScreen(match.command).catch(() => undefined);
  await queryClient.prefetchQuery(queries.session);
  const user = queryClient.getQueryData(queries.session.queryKey);
  if (user === undefined || user === null || !isValidUser(user) || workspace.state.get().bare !== null)
    return;
  void queryClient.prefetchQuery(queries.clusters);
  live.open();
  const target = listTargetAt(href, match, kinds, kept.columnChoices.get());
  if (target !== undefined) live.ahead(target);
}
