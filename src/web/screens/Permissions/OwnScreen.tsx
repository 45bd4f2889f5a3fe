import { useQuery } from '@tanstack/react-query';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { counted } from '../../../registry/counted.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { isAdmin } from '../../data/session.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Icon } from '../../kit/icons.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { State } from '../../kit/State.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { ReachedClusters } from '../ReachedClusters.tsx';

/** `/settings/my-permissions`: what the person may do on which cluster, and by which team. */
export function Screen({ command }: ScreenProps) {
  const { registry } = useCommands();
  const { queries } = useData();
  const reach = useQuery(queries.ownReach);
  const user = useQuery(queries.session).data;
  const isOwner = user !== undefined && user !== null && isAdmin(user);
  const isLong = useLongWait(reach.isPending);
  useFirstLine(reach.data !== undefined);
  return (
    <SettingsPage
      command={command}
      about="Your permissions on each cluster, and the teams that give them"
      status={reach.data !== undefined && <span>{counted(reach.data.length, 'cluster')}</span>}
    >
      <ErrorAlert
        title="Could not load your permissions."
        error={reach.error}
        onRetry={() => void reach.refetch()}
        isRetrying={reach.isFetching}
      />
      {reach.isPending && isLong && <SkeletonRows isFramed />}
      {reach.data?.length === 0 && (
        <State place="page" icon={<Icon name="role" size={22} />} title="You have no access to a cluster yet">
          {isOwner
            ? 'As an Owner you have every permission on every cluster. There is no cluster yet.'
            : 'An Owner of your organisation can add you to a team that has access to one.'}
        </State>
      )}
      {reach.data !== undefined && reach.data.length > 0 && (
        <SetList>
          <SetCard title="Clusters">
            {isOwner && (
              <p className="text-text-2">
                You are an Owner: you have every permission on every cluster, whatever your teams.
              </p>
            )}
            <ReachedClusters clusters={reach.data} />
            <p className="text-text-2">
              <PlaceLink href={registry.href('permissions')}>What each permission unlocks</PlaceLink>
            </p>
          </SetCard>
        </SetList>
      )}
    </SettingsPage>
  );
}
