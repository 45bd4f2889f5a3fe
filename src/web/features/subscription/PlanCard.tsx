import { Check } from 'lucide-react';
import type { Plan } from '../../../contract/subscription.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { periodText, priceText } from './price.ts';

interface PlanCardProps {
  readonly plan: Plan;
  readonly isSelected: boolean;
  /** The company has it already. */
  readonly isCurrent: boolean;
  /** Absent for people who cannot choose one. */
  readonly onSelect?: (() => void) | undefined;
}

/** One plan to choose from. */
export function PlanCard({ plan, isSelected, isCurrent, onSelect }: PlanCardProps) {
  const act = isSelected ? 'Selected' : 'Select Plan';
  return (
    <li
      className={`flex min-w-0 flex-col gap-2 rounded-md border p-3.5 ${isSelected ? 'border-accent bg-accent-soft' : 'border-border bg-surface'}`}
      aria-label={plan.name}
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="min-w-0 text-md font-semibold wrap-anywhere">{plan.name}</h3>
        {isCurrent && <Badge>Current plan</Badge>}
      </div>
      <p className="wrap-anywhere">
        <b className="text-xl font-semibold">{priceText(plan.price, plan.currency)}</b>{' '}
        <span className="text-text-2">{periodText(plan)}</span>
        <span className="block text-xs text-text-3">for each seat</span>
      </p>
      <p className="flex-1 wrap-anywhere text-text-2">{plan.description}</p>
      {onSelect !== undefined && (
        <Button
          variant={isSelected ? 'primary' : 'secondary'}
          isWide
          className="mt-1"
          data-choice=""
          aria-pressed={isSelected}
          aria-label={`${act}: ${plan.name}`}
          icon={isSelected && <Check size={14} strokeWidth={2} aria-hidden="true" />}
          onClick={onSelect}
        >
          {act}
        </Button>
      )}
    </li>
  );
}
