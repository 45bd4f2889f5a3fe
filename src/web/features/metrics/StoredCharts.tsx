import { useQuery } from '@tanstack/react-query';
import type { UsageHistory } from '../../../contract/live.ts';
import { historyRanges, type HistorySeconds } from '../../../contract/usage-ranges.ts';
import type { StoredHistory } from '../../../contract/usage.ts';
import { longestSampled, usageRanges } from '../../core/state/usage-range.ts';
import type { StoredUsage, usageQueriesOf } from '../../data/usage-queries.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { useView } from '../../workspace/view.ts';
import { gapAfter } from './chart.ts';
import type { UsageLine } from './limits.ts';
import { RangeChoice, useShownSeconds } from './RangeChoice.tsx';
import { type ChartTime, sampledTime, UsageCharts } from './UsageCharts.tsx';

type Queries = ReturnType<typeof usageQueriesOf>;

interface StoredChartsProps {
  /** What to ask for a range. */
  readonly queryOf: (seconds: HistorySeconds) => ReturnType<Queries['storedUsage']>;
  /** What the console sampled itself: shown where the Prometheus gives nothing. */
  readonly own: UsageHistory | undefined;
  /** The server's clock, ms. */
  readonly now: number;
  /** @param told undefined for the console's own samples */
  readonly linesOf: (
    told: StoredUsage | undefined,
  ) => Readonly<Record<'cpu' | 'memory', readonly UsageLine[]>>;
}

const wordsOf = (seconds: number) => usageRanges.find((one) => one.seconds === seconds)?.words ?? '';

/** The time that an answer is about: it may be the former one, while that for another range is read. */
function timeOf({ step, to }: StoredHistory): ChartTime & { readonly seconds: number } {
  const seconds = historyRanges.find((one) => one.step === step)?.seconds ?? historyRanges[0].seconds;
  return { from: to - seconds, to, gap: Math.max(gapAfter, 1.5 * step), seconds };
}

const hasFigures = ({ cpu, memory }: UsageHistory) => [...cpu, ...memory].some((value) => value !== null);

/** What a reader of screens is told once a range was read; the same as long as it is looked at. */
function announcementOf(told: StoredHistory | undefined, isReading: boolean, seconds: number): string {
  if (isReading) return `Reading usage of ${wordsOf(seconds)}…`;
  return told?.status === 'answered' ? `Usage of ${wordsOf(timeOf(told).seconds)} is shown.` : '';
}

/** Charts of what a Prometheus keeps, over a time to choose; what keeps it from answering is said in words. */
export function StoredCharts({ queryOf, own, now, linesOf }: StoredChartsProps) {
  const { isVisible } = useView();
  const seconds = useShownSeconds(true);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...queryOf(seconds),
    enabled: isVisible,
  });
  const isReading = isFetching && (data === undefined || isPlaceholderData);
  const announcement = announcementOf(data, isReading, seconds);
  const instead = data !== undefined && data.status !== 'answered' && own !== undefined && hasFigures(own);
  return (
    <>
      <RangeChoice isStored />
      <p className={isReading && data === undefined ? 'pb-1 text-xs text-text-3' : 'sr-only'} role="status">
        {announcement}
      </p>
      <ErrorAlert error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      {data !== undefined && data.message !== null && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 pb-1.5 text-xs text-text-2" role="status">
          <span className="min-w-0 wrap-anywhere">
            {data.message}
            {instead && ' The charts below show this console’s own samples.'}
          </span>
          {data.status !== 'answered' && data.status !== 'empty' && (
            <Button size="sm" variant="secondary" isLoading={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          )}
        </div>
      )}
      {data?.status === 'answered' && (
        <UsageCharts history={data} time={timeOf(data)} lines={linesOf(data)} />
      )}
      {instead && (
        <UsageCharts
          history={own}
          time={sampledTime(own, now, Math.min(seconds, longestSampled))}
          lines={linesOf(undefined)}
        />
      )}
    </>
  );
}
