import { useQuery } from '@tanstack/react-query';
import { failureParam } from '../../../contract/sign-in.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { signInSentence } from '../../features/identity/sign-in-failures.ts';
import { OwnSessions } from './OwnSessions.tsx';
import { Passkeys } from './Passkeys.tsx';
import { SignInWays } from './SignInWays.tsx';

/** `/settings?section=sign-in`: how the person signs in, and where they are signed in. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const [search] = useViewSearch();
  const ways = useQuery(queries.identities);
  const passkeys = useQuery(queries.passkeys);
  const sessions = useQuery(queries.ownSessions);
  const isLong = useLongWait(ways.isPending || passkeys.isPending || sessions.isPending);
  return (
    <SettingsPage command={command}>
      <SetList>
        <ErrorAlert message={signInSentence(search[failureParam])} />
        <SetCard title="Ways to sign in">
          <ErrorAlert error={ways.error} onRetry={() => void ways.refetch()} isRetrying={ways.isFetching} />
          {ways.isPending && isLong && <SkeletonRows />}
          {ways.data !== undefined && <SignInWays ways={ways.data} />}
        </SetCard>
        <SetCard title="Passkeys">
          <ErrorAlert
            title="Could not load your passkeys."
            error={passkeys.error}
            onRetry={() => void passkeys.refetch()}
            isRetrying={passkeys.isFetching}
          />
          {passkeys.isPending && isLong && <SkeletonRows />}
          {passkeys.data !== undefined && <Passkeys own={passkeys.data} />}
        </SetCard>
        <SetCard title="Sessions">
          <ErrorAlert
            title="Could not load your sessions."
            error={sessions.error}
            onRetry={() => void sessions.refetch()}
            isRetrying={sessions.isFetching}
          />
          {sessions.isPending && isLong && <SkeletonRows />}
          {sessions.data !== undefined && <OwnSessions sessions={sessions.data} />}
        </SetCard>
      </SetList>
    </SettingsPage>
  );
}
