import { useQuery } from '@tanstack/react-query';
import type { Invoices } from '../../../contract/subscription.ts';
import { useData } from '../../data/port.ts';
import { subscriptionQueries } from '../../data/subscription-queries.ts';
import { dayText } from '../../features/subscription/limits.ts';
import { priceText } from '../../features/subscription/price.ts';
import { Badge } from '../../kit/Badge.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard } from '../../kit/SetCard.tsx';

const states = {
  paid: { tone: 'ok', text: 'Paid' },
  due: { tone: 'warn', text: 'Due' },
  void: { tone: 'idle', text: 'Void' },
} as const;

/** The next invoice, and those before. */
export function InvoiceCard() {
  const { api } = useData();
  const invoices = useQuery(subscriptionQueries(api).invoices);
  const isLong = useLongWait(invoices.isPending);
  return (
    <SetCard title="Invoices">
      <ErrorAlert
        error={invoices.error}
        onRetry={() => void invoices.refetch()}
        isRetrying={invoices.isFetching}
      />
      {invoices.isPending && isLong && <SkeletonRows />}
      {invoices.data !== undefined && <InvoiceList {...invoices.data} />}
    </SetCard>
  );
}

function InvoiceList({ next, invoices }: Invoices) {
  return (
    <>
      <p className="text-text-2">
        {next === null
          ? 'There are no upcoming invoices.'
          : `The next one, over ${priceText(next.amount, next.currency)}, comes on ${dayText(next.at)}.`}
      </p>
      {invoices.length > 0 && (
        <ul aria-label="Invoices" className="flex flex-col divide-y divide-hairline">
          {invoices.map(({ id, at, amount, currency, state }) => (
            <li key={id} className="flex min-w-0 items-start gap-3 py-2 first:pt-0 last:pb-0">
              <div className="min-w-0 flex-1">
                {dayText(at)} <Badge tone={states[state].tone}>{states[state].text}</Badge>
                <span className="mono block text-xs wrap-anywhere text-text-3">{id}</span>
              </div>
              <span className="tabular-nums">{priceText(amount, currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
