import { type AnyRoute, createRouter, type RouterHistory } from '@tanstack/react-router';
import type { RouteCommand } from '../../registry/commands/command.ts';
import { splitHref } from '../../registry/path.ts';
import type { RouteMatch } from '../../registry/commands/registry.ts';
import { parseSearch, stringifySearch } from '../workspace/search.ts';
import { type Drawing, type Guards, routeTree } from './tree.ts';

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

/**
 * The one router of the page: it owns the browser's address, which is the focused tab's. The other tiles only ask it
 * which route answers their path.
 * @param page what guards and screens need; without it the router only answers which route a path has
 */
export function createConsoleRouter(
  commands: readonly RouteCommand[],
  history: RouterHistory,
  page?: { readonly guards: Guards; readonly drawing: Drawing },
) {
  const router = createRouter({
    routeTree: routeTree(commands, page?.drawing),
    history,
    caseSensitive: true,
    trailingSlash: 'preserve',
    parseSearch,
    stringifySearch,
    context: { guards: page?.guards },
    // The current screen stays until the next one may be drawn; the router shows no pending screen of its own.
    defaultPendingMs: Number.POSITIVE_INFINITY,
    // A screen is loaded once for each stay in it; the search is the view's own.
    defaultStaleTime: Number.POSITIVE_INFINITY,
    defaultGcTime: 0,
  });
  // Removes the library's own listeners: they scroll the window to its top, or to a hash, after each change of the
  // address, even for a letter in a filter.
  router.subscribers.clear();
  answerEveryPath(router);
  // The workspace hears of the history too: what it writes has to be loaded from the first moment.
  // By the same function as the library's own component, so that there is one load for each change.
  // oxlint-disable-next-line no-misused-promises -- it never rejects, and this is how the component hands it over
  history.subscribe(router.load);
  return router;
}

/** Makes every path match a route, as the console reads paths: empty segments are ignored. */
function answerEveryPath(router: {
  getMatchedRoutes: (
    path: string,
  ) => readonly [readonly AnyRoute[], Record<string, string>, AnyRoute | undefined];
  readonly routesById: Readonly<Record<string, AnyRoute>>;
}): void {
  const find = router.getMatchedRoutes;
  // The library finds nothing for a path with a percent sign that encodes nothing, and would then draw no shell.
  const { '/tiles': tiles, '/tiles/$': elsewhere } = router.routesById;
  if (tiles?.parentRoute === undefined || elsewhere === undefined)
    throw new Error('The tree has no route for unknown addresses.');
  const branch = [tiles.parentRoute as AnyRoute, tiles, elsewhere];
  router.getMatchedRoutes = (path) => {
    const found = find(path.replace(/\/{2,}/g, '/'));
    return found[2] === undefined ? [branch, { _splat: '' }, elsewhere] : found;
  };
}

/** The route that answers an address, with the parameters of its path decoded; undefined for an unknown one. */
export function matchIn(
  router: Pick<ConsoleRouter, 'getMatchedRoutes'>,
  href: string,
): RouteMatch | undefined {
  const [, params, route] = router.getMatchedRoutes(splitHref(href).pathname);
  const command = route?.options.staticData?.command;
  return command === undefined ? undefined : { command, params };
}
