import { isValidUser } from '../data/valid-user.ts';
import { loadScreen } from '../workspace/screens.ts';
import type { App } from './app.ts';
import { firstList } from './first-content.ts';

/**
 * Asks for what the first screen waits for while nothing is drawn yet: who is signed in, then at once their clusters and,
 * where the address is a list's, its rows. Nothing fails here: the screens ask for the same, and say what went wrong.
 */
export async function askAhead(app: App) {
  const { data, tiles, registry } = app;
  const { queryClient, queries, live } = data;
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
  const target = firstList(app);
  if (target !== undefined) live.ahead(target);
}
