import { Hourglass } from 'lucide-react';
import { PlaceLink } from '../kit/Link.tsx';
import { leftText, placeText } from './access-text.ts';
import { useAccessRequests, useServerNow } from './use-access.ts';
import { clockText } from '../kit/date-time.ts';

/** How long the person still holds what was given to them on a cluster for a while; the one that ends first. */
export function Countdowns({ clusterId }: { readonly clusterId: number }) {
  const now = useServerNow();
  const active = (useAccessRequests() ?? [])
    .flatMap((one) =>
      one.isOwn && one.state === 'active' && one.cluster.id === clusterId && one.endsAt !== null
        ? [{ ...one, left: Date.parse(one.endsAt) - now }]
        : [],
    )
    .filter(({ left }) => left > 0)
    .sort((a, b) => a.left - b.left);
  const [first] = active;
  if (first === undefined) return null;
  const until = clockText(now + first.left, 'short');
  const sentence = `You hold ${first.permissions.join(', ')} on ${placeText(first)} for a while, until ${until}.`;
  return (
    <PlaceLink
      href="/settings?section=access-requests"
      className="inline-flex min-w-0 flex-none items-center gap-1 font-medium text-warn-fg no-underline hover:underline narrow:h-full"
      title={sentence}
      data-part="countdown"
    >
      <span className="sr-only">Temporary access. {sentence}</span>
      <Hourglass size={12} strokeWidth={1.75} aria-hidden="true" />
      <span aria-hidden="true">
        <span className="@max-[34rem]:hidden narrow:hidden">temporary access </span>
        <span className="tabular-nums">{leftText(first.left)}</span>
      </span>
    </PlaceLink>
  );
}
