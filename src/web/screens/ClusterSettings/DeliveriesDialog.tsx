import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery, Webhook } from '../../../contract/webhooks.ts';
import type { Tone } from '../../../registry/tone.ts';
import { useData } from '../../data/port.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Select } from '../../kit/Select.tsx';
import { ShowOlder } from '../../kit/ShowOlder.tsx';
import { deliveriesQuery } from './deliveries-query.ts';
import { eventTitles } from './webhook-titles.ts';
import { dateTimeText } from '../../kit/date-time.ts';

/** The log is read again this often while it is looked at, ms. */
const refreshInterval = 2_000;
/** The times in which what failed can be sent again together, hours. */
const spans = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
] as const;
const hour = 3_600_000;

const states: Readonly<Record<Delivery['state'], readonly [label: string, tone: Tone]>> = {
  waiting: ['Waiting', 'info'],
  delivered: ['Delivered', 'ok'],
  failed: ['Failed', 'bad'],
  dropped: ['Dropped', 'idle'],
};

interface DeliveriesDialogProps {
  readonly clusterId: number;
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** What was sent to a webhook in the last 30 days and what became of it; sends a test, and again what failed. */
export function DeliveriesDialog({ clusterId, webhook, onClose }: DeliveriesDialogProps) {
  const { api } = useData();
  const params = { clusterId, webhookId: webhook.id };
  const log = useInfiniteQuery({ ...deliveriesQuery(api, params), refetchInterval: refreshInterval });
  const [span, setSpan] = useState<string>('24');
  const shown = log.data?.pages.flat();
  const act = useMutation({
    mutationFn: async (run: () => Promise<unknown>) => {
      await run();
      await log.refetch();
    },
  });
  const again = (body: Parameters<typeof api.redeliver>[0]['body']) =>
    act.mutate(() => api.redeliver({ params, body }));
  const hasFailed = shown?.some(({ state }) => state === 'failed' || state === 'dropped') ?? false;
  const failure = act.error ?? log.error;
  return (
    <Dialog
      title={`Deliveries of ${webhook.origin}`}
      width="wide"
      onClose={onClose}
      footer={
        <>
          <Button
            variant="secondary"
            isLoading={act.isPending}
            loadingText="Sending..."
            onClick={() => act.mutate(() => api.testWebhook({ params }))}
          >
            Send test
          </Button>
          <span className="min-w-0 flex-1" />
          <Button acts onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <ErrorAlert error={failure} />
      {hasFailed && (
        <div className="flex min-w-0 flex-wrap items-end gap-2">
          <Select label="Failed within" options={spans} value={span} onChange={setSpan} />
          <Button
            variant="secondary"
            onClick={() => again({ failedSince: new Date(Date.now() - Number(span) * hour).toISOString() })}
          >
            Send all that failed again
          </Button>
        </div>
      )}
      {shown?.length === 0 && <p className="text-text-2">Nothing was sent yet. Send a test.</p>}
      <ul
        className="flex min-w-0 flex-col divide-y divide-hairline"
        aria-label="Deliveries"
        aria-live="polite"
      >
        {shown?.map((delivery) => (
          <DeliveryLine
            key={delivery.id}
            delivery={delivery}
            readAt={log.dataUpdatedAt}
            onAgain={() => again({ deliveryId: delivery.id })}
          />
        ))}
      </ul>
      <ShowOlder log={log} what="deliveries" />
    </Dialog>
  );
}

interface DeliveryLineProps {
  readonly delivery: Delivery;
  /** When the log was read, ms. */
  readonly readAt: number;
  readonly onAgain: () => void;
}

function DeliveryLine({ delivery, readAt, onAgain }: DeliveryLineProps) {
  const { id, type, body, state, createdAt, nextAt, attempts } = delivery;
  const [label, tone] = states[state];
  const title = eventTitles[type] ?? type;
  return (
    <li className="flex min-w-0 flex-col gap-1 py-2.5 first:pt-0 last:pb-0">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1 wrap-anywhere">
          <b className="font-medium">{title}</b> <Badge tone={tone}>{label}</Badge>
          <span className="block text-xs text-text-3">
            <time dateTime={createdAt}>{dateTimeText(createdAt)}</time>
            {nextAt !== null && Date.parse(nextAt) > readAt && (
              <>
                {' '}
                · next try <time dateTime={nextAt}>{dateTimeText(nextAt)}</time>
              </>
            )}
          </span>
        </div>
        {state !== 'waiting' && (
          <Button size="sm" variant="secondary" aria-label={`Send again: ${title}`} onClick={onAgain}>
            Send again
          </Button>
        )}
      </div>
      <details>
        <summary className="text-xs text-text-2">
          {attempts.length === 1 ? '1 try' : `${attempts.length} tries`} and the request
        </summary>
        <ul className="mt-1 flex flex-col gap-1 text-xs">
          {attempts.map(({ at, durationMs, status, head, problem }) => (
            <li key={at} className="wrap-anywhere">
              <time dateTime={at}>{dateTimeText(at)}</time> · {status ?? 'no answer'} · {durationMs} ms ·
              webhook-timestamp: {Math.floor(Date.parse(at) / 1_000)}
              {problem !== null && <span className="block text-bad-fg">{problem}</span>}
              {head !== '' && <pre className="mono whitespace-pre-wrap text-text-3">{head}</pre>}
            </li>
          ))}
        </ul>
        <p className="mt-1 text-xs text-text-3">webhook-id: {id}</p>
        <pre className="mono mt-1 text-xs wrap-anywhere whitespace-pre-wrap">{body}</pre>
      </details>
    </li>
  );
}
