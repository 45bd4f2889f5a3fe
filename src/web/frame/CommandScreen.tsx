import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { RouteCommand } from '../../registry/commands/command.ts';
import { useData } from '../data/port.ts';
import { isAdmin } from '../data/session.ts';
import { ScreenBoundary } from '../kit/ScreenBoundary.tsx';
import { ScreenPending } from '../kit/ScreenPending.tsx';
import { LoadedScreen } from '../workspace/LoadedScreen.tsx';
import { lazyPart } from '../kit/lazy-part.ts';

const NoSuchPage = lazyPart(async () => (await import('./NoSuchPage.tsx')).NoSuchPage);
const OwnersPage = lazyPart(async () => (await import('./OwnersPage.tsx')).OwnersPage);

interface CommandScreenProps {
  /** Undefined where no route answers the address. */
  readonly command: RouteCommand | undefined;
  readonly params: Readonly<Record<string, string>>;
}

/** The screen of a route; what is for Owners says so to everybody else. */
export function CommandScreen({ command, params }: CommandScreenProps) {
  const { queries } = useData();
  const user = useQuery(queries.session).data;
  const isForOthers = command?.access === 'owner' && (user == null || !isAdmin(user));
  return (
    <ScreenBoundary key={command?.id}>
      <Suspense fallback={<ScreenPending />}>
        {command === undefined ? (
          <NoSuchPage />
        ) : isForOthers ? (
          <OwnersPage command={command} />
        ) : (
          <LoadedScreen command={command} params={params} pending={<ScreenPending />} />
        )}
      </Suspense>
    </ScreenBoundary>
  );
}
