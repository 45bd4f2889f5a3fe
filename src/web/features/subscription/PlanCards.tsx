import { useQuery } from '@tanstack/react-query';
import { useData } from '../../data/port.ts';
import { subscriptionQueries } from '../../data/subscription-queries.ts';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { FailureNote } from './FailureNote.tsx';
import { PlanCard } from './PlanCard.tsx';

interface PlanCardsProps {
  readonly selected?: string | undefined;
  readonly current?: string | undefined;
  readonly onSelect?: (planId: string) => void;
}

/** The plans that the provider offers, as cards. */
export function PlanCards({ selected, current, onSelect }: PlanCardsProps) {
  const { api } = useData();
  const plans = useQuery(subscriptionQueries(api).plans);
  const isLong = useLongWait(plans.isPending);
  return (
    <>
      <FailureNote
        sentence="Failed to load subscription plans. Please try again later."
        error={plans.error}
        onRetry={() => void plans.refetch()}
        isRetrying={plans.isFetching}
      />
      {plans.isPending && isLong && <SkeletonRows isFramed />}
      {plans.data?.length === 0 && <p className="text-text-2">The provider offers no plans at the moment.</p>}
      {plans.data !== undefined && plans.data.length > 0 && (
        <ul
          aria-label="Plans"
          className="grid grid-cols-[repeat(auto-fit,minmax(min(11.5rem,100%),1fr))] gap-3"
        >
          {plans.data.map((plan) => (
            <PlanCard
              key={plan.id}
              plan={plan}
              isSelected={plan.id === selected}
              isCurrent={plan.id === current}
              onSelect={onSelect && (() => onSelect(plan.id))}
            />
          ))}
        </ul>
      )}
    </>
  );
}
