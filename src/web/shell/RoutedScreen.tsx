import { useQuery } from '@tanstack/react-query';
import { memo, Suspense } from 'react';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { isAdmin } from '../data/session.ts';
import { NoSuchPage } from '../frame/NoSuchPage.tsx';
import { ScreenBoundary } from '../kit/ScreenBoundary.tsx';
import { ScreenPending } from '../kit/ScreenPending.tsx';
import { screenOf } from '../workspace/screens.ts';

/** The screen of a path; what stands in the search it reads itself. Another path of the same route begins anew. */
export const RoutedScreen = memo(function RoutedScreen({ pathname }: { readonly pathname: string }) {
  const { registry } = useCommands();
  const { queries } = useData();
  const user = useQuery(queries.session).data;
  const match = registry.match(pathname);
  // The guard of the page looks at the focused tile alone.
  if (match === undefined || (match.command.access === 'owner' && (user == null || !isAdmin(user))))
    return <NoSuchPage />;
  const { command, params } = match;
  const Screen = screenOf(command);
  return (
    <ScreenBoundary key={command.id}>
      <Suspense fallback={<ScreenPending />}>
        <Screen key={JSON.stringify(params)} params={params} command={command} />
      </Suspense>
    </ScreenBoundary>
  );
});
