import { type ErrorComponentProps, Outlet, RouterProvider, useRouter } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import type { RouteCommand } from '../../registry/commands/command.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { useSignIn } from '../data/sign-in.ts';
import type { ConsoleRouter } from '../routing/router.ts';
import { useWorkspace } from '../workspace/port.ts';
import { mayWork } from '../data/session.ts';
import { ScreenBoundary } from '../kit/ScreenBoundary.tsx';
import { Shell } from '../shell/Shell.tsx';
import { useCell } from '../core/state/state.ts';
import { ErrorAlert } from '../kit/ErrorAlert.tsx';
import { Spinner } from '../kit/Spinner.tsx';
import { LoadedScreen } from '../workspace/LoadedScreen.tsx';
import type { Drawing } from '../routing/tree.ts';

/** Shown while the page waits for the session, before any screen. */
export function CheckingSession() {
  return <Spinner label="Checking your session" />;
}

/** The components that the router draws for the console's routes. */
export const drawing: Drawing = {
  root: Root,
  failed: CannotOpen,
  tiles: Tiles,
  screen: (command) =>
    function RouteScreen() {
      return <ScreenAlone command={command} />;
    },
};

/** The routes of the console, drawn. */
export function ConsoleRoutes({ router }: { readonly router: ConsoleRouter }) {
  return <RouterProvider router={router} />;
}

function Root() {
  const { leaving } = useSignIn();
  return useCell(leaving) ? <Spinner label="Logging out..." /> : <Outlet />;
}

function CannotOpen({ error }: ErrorComponentProps) {
  const router = useRouter();
  const { queries } = useData();
  const { isFetching } = useQuery({ ...queries.session, enabled: false });
  return (
    <main className="grid h-full place-content-center justify-items-center">
      <div className="w-[min(30rem,calc(100vw-1.5rem))]">
        <ErrorAlert
          title="The console could not be opened."
          error={error}
          onRetry={() => void router.invalidate()}
          isRetrying={isFetching}
        />
      </div>
    </main>
  );
}

/** The shell with the tiles, for whoever may work here; the router only confirms what the workspace shows already. */
function Tiles() {
  const router = useRouter();
  const { registry } = useCommands();
  const { queries, live } = useData();
  const { lapse } = useSignIn();
  const { workspace } = useWorkspace();
  const session = useQuery({ ...queries.session, enabled: false }).data;
  const isCovered = useCell(workspace.state, ({ bare }) => bare !== null);
  const isPublic = useCell(
    workspace.state,
    () => registry.match(workspace.href())?.command.access === 'public',
  );
  const isInside = !isCovered && mayWork(session);

  // Beside the calls that a list needs before it can ask for its rows, not after them.
  useEffect(() => {
    if (!isInside) return;
    lapse.set(undefined);
    live.open();
  }, [isInside, lapse, live]);

  // Somebody whose session ended while nothing led elsewhere is led to sign-in by the guards.
  const isLost = !isInside && !isCovered && !isPublic;
  useEffect(() => {
    if (isLost) void router.invalidate();
  }, [isLost, router]);

  if (isInside) return <Shell />;
  // A public screen that could stand in a tab has no shell around it for whoever could not go anywhere in it.
  if (isPublic && !isCovered)
    return (
      <main className="flex h-dvh flex-col bg-deck">
        <Outlet />
      </main>
    );
  // No list asks for anything between the end of a session and the way to sign-in.
  return <CheckingSession />;
}

/** A screen without the shell. What the workspace shows already and the router not yet has to wait for its guard. */
function ScreenAlone({ command }: { readonly command: RouteCommand }) {
  const { registry } = useCommands();
  const { workspace } = useWorkspace();
  useCell(workspace.state);
  const match = registry.match(workspace.href());
  if (match?.command !== command) return <CheckingSession />;
  return (
    <ScreenBoundary>
      <Suspense fallback={<Spinner label="Opening" />}>
        <LoadedScreen command={command} params={match.params} pending={<Spinner label="Opening" />} />
      </Suspense>
    </ScreenBoundary>
  );
}
