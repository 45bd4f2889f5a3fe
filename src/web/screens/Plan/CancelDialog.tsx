import { useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '../../../contract/subscription.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { subscriptionQueries } from '../../data/subscription-queries.ts';
import { dayText } from '../../features/subscription/limits.ts';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';

interface CancelDialogProps {
  readonly plan: NonNullable<Subscription['plan']>;
  readonly onClose: () => void;
}

/** Asks before the plan is cancelled, naming what ends and what stays. */
export function CancelDialog({ plan, onClose }: CancelDialogProps) {
  const { services } = useCommands();
  const { api } = useData();
  const queryClient = useQueryClient();
  const until = plan.nextBillingAt === null ? 'the end of what is paid' : dayText(plan.nextBillingAt);
  return (
    <ConfirmDialog
      title={`Cancel the plan ${plan.name}?`}
      act="Cancel plan"
      acting="Cancelling..."
      onClose={onClose}
      onConfirm={async () => {
        const cancelled = await api.cancelSubscription({});
        const { subscription, invoices } = subscriptionQueries(api);
        queryClient.setQueryData(subscription.queryKey, cancelled);
        onClose();
        services.toast.success(`The plan ${plan.name} is cancelled`);
        await queryClient.invalidateQueries({ queryKey: invoices.queryKey });
      }}
    >
      <p>It runs until {until} and is not renewed.</p>
      <p>
        After that, everything that exists keeps working: people can sign in and use their clusters. Nobody
        can be invited and no cluster can be added until you choose a plan again.
      </p>
    </ConfirmDialog>
  );
}
