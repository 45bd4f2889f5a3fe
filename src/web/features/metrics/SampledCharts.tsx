import type { UsageHistory } from '../../../contract/live.ts';
import type { UsageLine } from './limits.ts';
import { RangeChoice, useShownSeconds } from './RangeChoice.tsx';
import { sampledTime, UsageCharts } from './UsageCharts.tsx';

interface SampledChartsProps {
  readonly history: UsageHistory;
  /** The server's clock, ms. */
  readonly now: number;
  readonly lines: Readonly<Record<'cpu' | 'memory', readonly UsageLine[]>>;
}

/** Charts of what the console sampled itself, over a time to choose. */
export function SampledCharts({ history, now, lines }: SampledChartsProps) {
  const seconds = useShownSeconds(false);
  return (
    <>
      <RangeChoice isStored={false} />
      <UsageCharts history={history} time={sampledTime(history, now, seconds)} lines={lines} />
    </>
  );
}
