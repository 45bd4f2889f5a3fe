import { useKept } from '../../core/state/port.ts';
import { useCell } from '../../core/state/state.ts';
import { longestSampled, type UsageSeconds, usageRanges } from '../../core/state/usage-range.ts';
import { Button } from '../../kit/Button.tsx';

/** The time that charts show: the chosen one, as far as usage is kept that long. @param isStored by a Prometheus */
export function useShownSeconds(isStored: boolean): UsageSeconds {
  const { usageRange } = useKept();
  const seconds = useCell(usageRange);
  return isStored || seconds <= longestSampled ? seconds : longestSampled;
}

interface RangeChoiceProps {
  /** Whether a Prometheus keeps usage longer than the console samples it. */
  readonly isStored: boolean;
}

/** Chooses the time that all charts of usage show. */
export function RangeChoice({ isStored }: RangeChoiceProps) {
  const { usageRange } = useKept();
  const shown = useShownSeconds(isStored);
  return (
    <div className="flex flex-wrap gap-1 pb-2" role="group" aria-label="Time range">
      {usageRanges
        .filter(({ seconds }) => isStored || seconds <= longestSampled)
        .map(({ seconds, text }) => (
          <Button
            key={seconds}
            size="sm"
            variant={seconds === shown ? 'light' : 'transparent'}
            aria-pressed={seconds === shown}
            onClick={() => usageRange.set(seconds)}
          >
            {text}
          </Button>
        ))}
    </div>
  );
}
