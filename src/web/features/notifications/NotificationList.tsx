import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { BellRing, CircleCheck, CircleDot, X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { eventTone } from '../../../contract/event-tone.ts';
import type { Notification, Notifications } from '../../../contract/notifications.ts';
import { formatAge } from '../../../kube/age.ts';
import { useData } from '../../data/port.ts';
import { useNow } from '../../data/now.ts';
import { useCell } from '../../core/state/state.ts';
import { IconButton } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { LinkButton, PlaceLink, quietLink } from '../../kit/Link.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { State } from '../../kit/State.tsx';
import { tipsInLine } from '../../kit/tip.ts';
import { KeysHint } from './KeysHint.tsx';
import { placeOf } from './news-of.ts';

/** Lines that show before one asks for all. */
const initialLines = 20;

interface ListProps {
  readonly told: UseQueryResult<Notifications>;
  /** Something was opened: the panel is in its way. */
  readonly onOpened: () => void;
  /** Takes the focus when the line that had it is gone. */
  readonly panel: RefObject<HTMLElement | null>;
}

/** What was told, the newest first. */
export function NotificationList({ told, onOpened, panel }: ListProps) {
  const { api, queries, live } = useData();
  const queryClient = useQueryClient();
  const [isWhole, setWhole] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const skew = useCell(live.connection, (connection) => connection.skew);
  const now = useNow() + skew;
  const list = told.data?.notifications;
  const change = (what: 'read' | 'unread' | 'clear', { id }: Notification) => {
    setFailure(undefined);
    if (what === 'clear') panel.current?.focus();
    api
      .changeNotifications({ body: { change: what, ids: [id] } })
      .then(() => queryClient.invalidateQueries({ queryKey: queries.notifications.queryKey }))
      .catch(setFailure);
  };
  if (list === undefined)
    return told.isError ? (
      <div className="p-3">
        <ErrorAlert title="Your notifications could not be read." error={told.error} />
      </div>
    ) : (
      <p className="p-3 text-text-3" role="status">
        Loading...
      </p>
    );
  if (list.length === 0)
    return (
      <State
        place="above"
        icon={<BellRing size={22} strokeWidth={1.5} aria-hidden="true" />}
        title="Nothing new"
      >
        Follow an object, a namespace or a cluster, and what happens to it shows here. <KeysHint />
      </State>
    );
  const shown = isWhole ? list : list.slice(0, initialLines);
  return (
    <>
      {failure !== undefined && (
        <div className="p-3 pb-0">
          <ErrorAlert title="It was not changed." error={failure} />
        </div>
      )}
      <ul aria-label="Notifications">
        {shown.map((one) => (
          <Line
            key={one.id}
            one={one}
            age={formatAge(Math.max(0, now - Date.parse(one.at)) / 1000)}
            onChange={(what) => change(what, one)}
            onOpen={() => {
              if (!one.isRead) change('read', one);
              onOpened();
            }}
          />
        ))}
      </ul>
      {shown.length < list.length && (
        <LinkButton className="m-3 text-(length:--text-xs)" onClick={() => setWhole(true)}>
          Show all {list.length}
        </LinkButton>
      )}
    </>
  );
}

interface LineProps {
  readonly one: Notification;
  readonly age: string;
  readonly onChange: (what: 'read' | 'unread' | 'clear') => void;
  readonly onOpen: () => void;
}

function Line({ one, age, onChange, onOpen }: LineProps) {
  const { title, isRead, path, type } = one;
  return (
    <li
      className={`grid grid-cols-[0.75rem_minmax(0,1fr)_auto] items-start gap-x-2 border-b border-hairline py-2 pr-1.5 pl-3 last:border-b-0 ${isRead ? '' : 'shadow-[inset_2px_0_0_var(--color-accent)]'}`}
    >
      <span className="mt-0.75">
        <Glyph tone={eventTone(type)} />
      </span>
      <span className="flex min-w-0 flex-col gap-0.5">
        <PlaceLink
          className={`${quietLink} text-text wrap-anywhere ${isRead ? '' : 'font-semibold'}`}
          href={path}
          onClick={onOpen}
        >
          {title}
        </PlaceLink>
        <span className="text-xs text-text-2">
          {placeOf(one)} · {age} ago{!isRead && <span className="sr-only">, unread</span>}
        </span>
      </span>
      <span className={`flex ${tipsInLine}`}>
        <IconButton
          size="sm"
          label={isRead ? `Mark as unread: ${title}` : `Mark as read: ${title}`}
          tip={isRead ? 'Mark as unread' : 'Mark as read'}
          onClick={() => onChange(isRead ? 'unread' : 'read')}
        >
          {isRead ? (
            <CircleDot size={14} strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <CircleCheck size={14} strokeWidth={1.75} aria-hidden="true" />
          )}
        </IconButton>
        <IconButton size="sm" label={`Clear: ${title}`} tip="Clear" onClick={() => onChange('clear')}>
          <X size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  );
}
