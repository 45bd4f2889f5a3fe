import { useCompanySubscription } from '../../data/use-subscription.ts';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { PlansButton } from '../../kit/PlansButton.tsx';
import { type LimitedSort, limitText } from './limits.ts';

interface PlanNoteProps {
  readonly of: LimitedSort;
  /** Shows nothing while something can still be added. */
  readonly isOnlyReached?: boolean;
}

/** Says what the plan allows, before somebody adds a member or a cluster; nothing where nothing is limited. */
export function PlanNote({ of, isOnlyReached = false }: PlanNoteProps) {
  const { data } = useCompanySubscription();
  const limit = data === undefined ? undefined : limitText(data, of);
  if (limit === undefined || (isOnlyReached && !limit.isReached)) return null;
  return (
    <Note tone={limit.tone} role="status">
      <Glyph tone={limit.tone} size={13} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="min-w-0 wrap-anywhere">{limit.text}</span>
        {limit.isReached && <PlansButton />}
      </div>
    </Note>
  );
}
