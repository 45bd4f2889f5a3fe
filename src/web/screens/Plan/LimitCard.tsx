import type { ReactNode } from 'react';
import type { Subscription } from '../../../contract/subscription.ts';
import { daysText, limitsLead, usedText } from '../../features/subscription/limits.ts';
import { SetCard } from '../../kit/SetCard.tsx';
import { UsageBar } from '../../kit/UsageBar.tsx';

/** What the plan limits, how much of it is used, and what happens once it is reached. */
export function LimitCard({ subscription }: { readonly subscription: Subscription }) {
  const { seats, clusters, retention } = subscription;
  return (
    <SetCard title="Limits">
      <p className="max-w-[70ch] text-text-2">{limitsLead(subscription.plan)}</p>
      <ul className="flex flex-col divide-y divide-hairline">
        <Limit title="Seats" figure={usedText(seats)} {...shareOf(seats)}>
          Each member ({seats.members}) and each pending invitation ({seats.invitations}) takes one. Once all
          are taken, nobody can be invited.
        </Limit>
        <Limit title="Clusters" figure={usedText(clusters)} {...shareOf(clusters)}>
          {clusters.allowed === null
            ? 'Any number can be added.'
            : 'The playground and the operator’s own clusters are not counted. At the limit, no cluster can be added.'}
        </Limit>
        <Limit
          title="Audit"
          figure={retention.allowed === null ? 'any time' : `up to ${daysText(retention.allowed)}`}
        >
          Entries are kept {retention.days === null ? '' : 'for '}
          {daysText(retention.days)} now.{' '}
          {retention.allowed === null
            ? 'They may be kept for any time.'
            : 'Retention cannot be set longer than the plan allows; entries that are kept already stay.'}
        </Limit>
      </ul>
    </SetCard>
  );
}

const shareOf = ({ used, allowed }: { readonly used: number; readonly allowed: number | null }) =>
  allowed === null ? {} : { share: allowed === 0 ? 1 : used / allowed };

interface LimitProps {
  readonly title: string;
  readonly figure: string;
  readonly share?: number;
  /** What it means. */
  readonly children: ReactNode;
}

function Limit({ title, figure, share, children }: LimitProps) {
  return (
    <li className="flex flex-col gap-0.5 py-2.5 first:pt-0 last:pb-0">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="font-medium">{title}</h3>
        <span className="tabular-nums">{figure}</span>
      </div>
      {share !== undefined && <UsageBar isPlain share={share} label={`${title}: ${figure}`} />}
      <p className="text-xs text-text-2">{children}</p>
    </li>
  );
}
