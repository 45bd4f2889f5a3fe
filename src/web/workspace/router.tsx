import { useQuery } from '@tanstack/react-query';
import { type AnyRoute, createRouter, Outlet, type RouterHistory, useParams } from '@tanstack/react-router';
import { BaseRootRoute, BaseRoute } from '@tanstack/router-core';
import { type ComponentType, lazy, type LazyExoticComponent, Suspense } from 'react';
import { useApp } from '../app/context.ts';
import { isAdmin } from '../data/session.ts';
import type { RouteCommand, ScreenProps } from '../../registry/command.ts';
import type { Registry } from '../../registry/registry.ts';
import { NoSuchPage } from '../shell/NoSuchPage.tsx';
import { ScreenBoundary } from '../shell/ScreenBoundary.tsx';
import { ScreenPending } from '../shell/ScreenPending.tsx';
import { parseSearch, stringifySearch } from './search.ts';

const pathOf = (command: RouteCommand) => command.path.replace(/:(\w+)/g, '$$$1');
type LazyScreen = LazyExoticComponent<ComponentType<ScreenProps>>;
const screens = new Map<() => Promise<unknown>, LazyScreen>();

/** The lazily loaded component of a route's screen; one for all routes that share the module. */
export function screenOf(command: RouteCommand): LazyScreen {
  const known = screens.get(command.load);
  if (known !== undefined) return known;
  const made = lazy(async () => ({ default: (await command.load()).Screen as ComponentType<ScreenProps> }));
  screens.set(command.load, made);
  return made;
}

function componentOf(command: RouteCommand): () => React.ReactNode {
  const Screen = screenOf(command);
  return function RoutedScreen() {
    const params: Readonly<Record<string, string>> = useParams({ strict: false });
    const user = useQuery(useApp().queries.session).data;
    // The guard of the page looks at the focused tile alone.
    if (command.access === 'owner' && (user == null || !isAdmin(user))) return <NoSuchPage />;
    return (
      <ScreenBoundary>
        <Suspense fallback={<ScreenPending />}>
          <Screen key={JSON.stringify(params)} params={params} command={command} />
        </Suspense>
      </ScreenBoundary>
    );
  };
}

/**
 * The route tree of every view, built once from the registry. Of the router's own base classes: those for React bring
 * hooks and a link with each route that no screen uses, and some 3 KB.
 */
export function createRouteTree(registry: Registry): AnyRoute {
  // The type is that of React's routes, whose hooks nobody calls.
  const root = new BaseRootRoute({ component: Outlet, notFoundComponent: NoSuchPage }) as unknown as AnyRoute;
  const routes = registry.routes.map((command) => {
    const options = { getParentRoute: () => root, path: pathOf(command), component: componentOf(command) };
    return new BaseRoute(options) as unknown as AnyRoute;
  });
  return root.addChildren(routes);
}

/** A router for one view. */
export function createViewRouter(routeTree: AnyRoute, history: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    parseSearch,
    stringifySearch,
    scrollRestoration: false,
    defaultHashScrollIntoView: false,
    defaultNotFoundComponent: NoSuchPage,
  });
}
