import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useCompanySubscription } from '../../data/use-subscription.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { useData } from '../../data/port.ts';
import { useQuery } from '@tanstack/react-query';
import { CurrentPlan } from './CurrentPlan.tsx';
import { InvoiceCard } from './InvoiceCard.tsx';
import { LimitCard } from './LimitCard.tsx';

/** `/settings?section=plan`: what the organisation pays for, and what its plan allows; for its Owners. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const config = useQuery(queries.config);
  const subscription = useCompanySubscription();
  const isOff = config.data?.hasBilling === false;
  const isLong = useLongWait(!isOff && subscription.isPending);
  const { data } = subscription;
  return (
    <SettingsPage command={command} about="The organisation’s plan, its limits and invoices">
      <ErrorAlert
        title="Could not load the plan."
        error={config.error ?? subscription.error}
        onRetry={() => void (config.isError ? config : subscription).refetch()}
        isRetrying={config.isFetching || subscription.isFetching}
      />
      {isLong && <SkeletonRows isFramed />}
      {isOff && (
        <SetList>
          <SetCard title="No plans here">
            <p className="text-text-2">
              This console sells no plans: there are no limits and nothing to pay.
            </p>
          </SetCard>
        </SetList>
      )}
      {data !== undefined && (
        <SetList>
          {data.isTest && (
            <Note tone="info" role="note">
              <Glyph tone="info" size={13} />
              <div>Test mode: plans can be tried out, and nothing is charged.</div>
            </Note>
          )}
          <CurrentPlan subscription={data} />
          <LimitCard subscription={data} />
          {data.plan !== null && <InvoiceCard />}
        </SetList>
      )}
    </SettingsPage>
  );
}
