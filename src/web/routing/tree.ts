import { type AnyRoute, BaseRootRoute, BaseRoute, redirect } from '@tanstack/router-core';
import type { RouteComponent, ErrorRouteComponent } from '@tanstack/react-router';
import type { User } from '../../contract/account.ts';
import type { RouteCommand } from '../../registry/commands/command.ts';
import { guard } from '../data/session.ts';
import { loadScreen } from '../workspace/screens.ts';
import { paramsOf, searchOf } from './declared-values.ts';

declare module '@tanstack/router-core' {
  interface StaticDataRouteOption {
    /** The command that declared the route; none for the routes that hold others, and for unknown addresses. */
    readonly command?: RouteCommand;
  }
}

/** Functions of the page that the guards of the routes call. */
export interface Guards {
  /** The signed-in person, read again while nobody is; null for nobody. Rejects if this cannot be determined. */
  session(): Promise<User | null>;
  /** Remembers the present place for after a sign-in. */
  rememberPlace(): void;
}

/** The components that the router draws: the workspace draws the screens in tiles. */
export interface Drawing {
  /** Around everything. */
  readonly root: RouteComponent;
  /** Instead of everything where it cannot be learnt who is signed in. */
  readonly failed: ErrorRouteComponent;
  /** Top bar, sidebar and tiles. */
  readonly tiles: RouteComponent;
  /** The screen of one route without the shell. */
  readonly screen: (command: RouteCommand) => RouteComponent;
}

/** An address without a route is shown, with the shell, to every signed-in person. */
const unknown = { access: 'signed-in', bare: undefined } as const;

/** Context of the routes below the root. */
interface Signed {
  readonly guards: Guards;
  readonly user: User | null | undefined;
}

/**
 * The route tree of the console, made of the declared routes: screens without chrome directly below the root, all others
 * below the route `tiles`, where unknown addresses lead too.
 * @param drawing undefined where the tree is only asked which route answers a path
 */
export function routeTree(commands: readonly RouteCommand[], drawing?: Drawing): AnyRoute {
  const root = new BaseRootRoute({
    // Who is signed in is asked once for each navigation, before any guard judges. A screen such as sign-in does not wait.
    beforeLoad: async ({ context, matches }): Promise<Pick<Signed, 'user'>> => {
      const { guards } = context as Signed;
      const { access, bare } = matches.at(-1)?.staticData.command ?? unknown;
      if (access !== 'public') return { user: await guards.session() };
      return { user: bare === true ? undefined : await guards.session().catch(() => undefined) };
    },
    ...(drawing && { component: drawing.root, errorComponent: drawing.failed }),
  }) as unknown as AnyRoute;
  const tiles = new BaseRoute({
    getParentRoute: () => root,
    id: 'tiles',
    ...(drawing && { component: drawing.tiles }),
  }) as unknown as AnyRoute;

  const under = (parent: AnyRoute, command: RouteCommand) =>
    new BaseRoute({
      getParentRoute: () => parent,
      path: command.path.replace(/:(\w+)/g, '$$$1'),
      staticData: { command },
      params: { parse: paramsOf(command) },
      validateSearch: searchOf(command),
      beforeLoad: guarded(command.access),
      // The tile that shows the screen says what went wrong with loading it.
      loader: () => void loadScreen(command).catch(() => undefined),
      ...(drawing && { component: drawing.screen(command) }),
    }) as unknown as AnyRoute;
  const elsewhere = new BaseRoute({
    getParentRoute: () => tiles,
    path: '$',
    beforeLoad: guarded(unknown.access),
  }) as unknown as AnyRoute;
  tiles.addChildren([
    ...commands.filter(({ bare }) => bare !== true).map((command) => under(tiles, command)),
    elsewhere,
  ]);
  return root.addChildren([
    ...commands.filter(({ bare }) => bare === true).map((command) => under(root, command)),
    tiles,
  ]) as AnyRoute;
}

/** The guard of a route: redirects everybody who may not be there. */
const guarded =
  (access: RouteCommand['access']) =>
  ({
    context,
    location,
  }: {
    readonly context: unknown;
    readonly location: { readonly pathname: string };
  }) => {
    const { guards, user } = context as Signed;
    const verdict = guard({ access, path: location.pathname.replace(/(.)\/+$/, '$1') }, user);
    if (verdict.type !== 'redirect') return;
    if (verdict.to === '/login') guards.rememberPlace();
    // oxlint-disable-next-line only-throw-error -- the library leads elsewhere by what a guard throws
    throw redirect({ href: verdict.to, replace: true });
  };
