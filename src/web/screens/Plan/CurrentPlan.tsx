import { useState } from 'react';
import type { Subscription } from '../../../contract/subscription.ts';
import { useCommands } from '../../core/commands.ts';
import { dayText, planStateText } from '../../features/subscription/limits.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { CancelDialog } from './CancelDialog.tsx';
import { PortalButton } from './PortalButton.tsx';

const states = {
  active: { tone: 'ok', text: 'Active' },
  ending: { tone: 'warn', text: 'Cancelled' },
  ended: { tone: 'bad', text: 'Ended' },
} as const;

/** The plan of the organisation, and what is done about it. */
export function CurrentPlan({ subscription: { plan } }: { readonly subscription: Subscription }) {
  const { run } = useCommands();
  const [isCancelling, setCancelling] = useState(false);
  const about = plan === null ? undefined : planStateText(plan);
  return (
    <SetCard title="Plan">
      {plan === null ? (
        <p className="text-text-2">
          Your organisation has no plan yet: it works within the limits below, and costs nothing.
        </p>
      ) : (
        <FactList>
          <Fact name="Plan">
            <span className="font-medium">{plan.name}</span>{' '}
            <Badge tone={states[plan.state].tone}>{states[plan.state].text}</Badge>
          </Fact>
          <Fact name="Seats">{plan.seats}</Fact>
          {plan.state === 'active' && plan.nextBillingAt !== null && (
            <Fact name="Renews">{dayText(plan.nextBillingAt)}</Fact>
          )}
          {plan.endsAt !== null && (
            <Fact name={plan.state === 'ended' ? 'Ended' : 'Ends'}>{dayText(plan.endsAt)}</Fact>
          )}
        </FactList>
      )}
      {about !== undefined && <p className="max-w-[70ch] text-text-2">{about}</p>}
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <Button onClick={() => run('subscription.plans')}>
          {plan === null || plan.state === 'ended' ? 'Choose a plan…' : 'Change plan or seats…'}
        </Button>
        {plan !== null && <PortalButton />}
        {plan?.state === 'active' && (
          <Button variant="secondary" onClick={() => setCancelling(true)}>
            Cancel plan…
          </Button>
        )}
      </div>
      {isCancelling && plan !== null && <CancelDialog plan={plan} onClose={() => setCancelling(false)} />}
    </SetCard>
  );
}
