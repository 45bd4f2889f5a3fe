import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { BellRing, X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { Follow } from '../../../contract/notifications.ts';
import { refIn } from '../actions/acting.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { useData } from '../../data/port.ts';
import { objectPath } from '../../data/object-path.ts';
import { IconButton } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { PlaceLink, quietLink } from '../../kit/Link.tsx';
import { Icon } from '../../kit/icons.tsx';
import { State } from '../../kit/State.tsx';
import { followedName } from './notification-work.ts';
import { tipsInLine } from '../../kit/tip.ts';
import { KeysHint } from './KeysHint.tsx';

interface ListProps {
  readonly follows: UseQueryResult<Follow[]>;
  readonly onOpened: () => void;
  /** Takes the focus when the line that had it is gone. */
  readonly panel: RefObject<HTMLElement | null>;
}

/** The page of what is followed. */
function pathOf({ object, namespace, cluster }: Follow): string | undefined {
  if (object !== undefined) return objectPath(refIn(cluster.id, object));
  return namespace === undefined
    ? `/clusters/${cluster.id}`
    : objectPath(refIn(cluster.id, { kind: 'namespace', name: namespace }));
}

/** What the person follows, the newest first; each can be unfollowed. */
export function FollowList({ follows, onOpened, panel }: ListProps) {
  const { api, queries } = useData();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<unknown>(undefined);
  const end = (id: string) => {
    setFailure(undefined);
    panel.current?.focus();
    api
      .unfollow({ params: { followId: id } })
      .then(() => queryClient.invalidateQueries({ queryKey: queries.follows.queryKey }))
      .catch(setFailure);
  };
  const error = failure ?? follows.error;
  return (
    <>
      {error !== null && (
        <div className="p-3 pb-0">
          <ErrorAlert title="Could not load or change what you follow." error={error} />
        </div>
      )}
      {follows.data?.length === 0 && (
        <State
          place="above"
          icon={<BellRing size={22} strokeWidth={1.5} aria-hidden="true" />}
          title="You follow nothing"
        >
          Choose Follow in the menu of a row, or “Follow or unfollow …” in the palette. <KeysHint />
        </State>
      )}
      <ul aria-label="What you follow">
        {follows.data?.map((follow) => (
          <Line key={follow.id} follow={follow} onEnd={() => end(follow.id)} onOpened={onOpened} />
        ))}
      </ul>
    </>
  );
}

function Line({
  follow,
  onEnd,
  onOpened,
}: {
  readonly follow: Follow;
  readonly onEnd: () => void;
  readonly onOpened: () => void;
}) {
  const { object, namespace, cluster, isUntilReady, alerts } = follow;
  const name = followedName(follow, cluster.name);
  const path = pathOf(follow);
  const kind = object === undefined ? undefined : kindById(object.kind);
  const icon =
    kind?.icon ?? (object !== undefined ? 'object' : namespace === undefined ? 'clusters' : 'namespace');
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-2 border-b border-hairline py-2 pr-1.5 pl-3 *:[svg]:mt-0.5 *:[svg]:text-text-3 last:border-b-0">
      <Icon name={icon} />
      <span className="flex min-w-0 flex-col gap-0.5">
        {path === undefined ? (
          <span className="wrap-anywhere">{name}</span>
        ) : (
          <PlaceLink className={`${quietLink} text-text wrap-anywhere`} href={path} onClick={onOpened}>
            {name}
          </PlaceLink>
        )}
        <span className="text-xs text-text-2">
          {[kind?.kind, object === undefined && namespace === undefined ? undefined : cluster.name]
            .filter(Boolean)
            .join(' · ')}
          {isUntilReady && ' · until it is ready'}
          {alerts !== undefined && ' · alerts to new trouble'}
        </span>
      </span>
      <span className={tipsInLine}>
        <IconButton
          size="sm"
          label={alerts === undefined ? `Unfollow ${name}` : `End alerts of ${name}`}
          tip={alerts === undefined ? 'Unfollow' : 'End alerts'}
          onClick={onEnd}
        >
          <X size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  );
}
