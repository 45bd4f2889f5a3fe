import { useQuery } from '@tanstack/react-query';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { BrowserNotices } from '../../features/notifications/BrowserNotices.tsx';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { AlertedPlaces } from './AlertedPlaces.tsx';
import { alertsQuery } from './alerts-query.ts';
import { DeliveryForm } from './DeliveryForm.tsx';

/** `/settings?section=alerts`: where new trouble alerts the person, and how. */
export function Screen({ command }: ScreenProps) {
  const { api, queries } = useData();
  const userId = useQuery(queries.session).data?.id ?? 0;
  const follows = useQuery(queries.follows);
  const settings = useQuery({ ...alertsQuery(api, userId), enabled: userId !== 0 });
  const isLong = useLongWait(settings.isPending || follows.isPending);
  useFirstLine(settings.data !== undefined && follows.data !== undefined);
  const failed = [follows, settings].find(({ isError }) => isError);
  return (
    <SettingsPage command={command} about="A message when something new fails, and when it has recovered">
      <ErrorAlert
        title="Could not load your alerts."
        error={failed?.error}
        onRetry={() => void failed?.refetch()}
        isRetrying={failed?.isFetching === true}
      />
      {isLong && (follows.data === undefined || settings.data === undefined) && <SkeletonRows isFramed />}
      {follows.data !== undefined && settings.data !== undefined && (
        <SetList>
          <SetCard title="Where">
            <AlertedPlaces follows={follows.data} />
          </SetCard>
          <SetCard title="How">
            <p className="text-text-2">
              The bell and a message in the console show an alert; webhooks of a cluster also send it to Slack
              or Teams.
            </p>
            <BrowserNotices />
            <DeliveryForm key={JSON.stringify(settings.data)} settings={settings.data} />
          </SetCard>
        </SetList>
      )}
    </SettingsPage>
  );
}
