import { useQuery } from '@tanstack/react-query';
import { CheckCheck, Trash2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useRef, useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useCell } from '../../core/state/state.ts';
import { useData } from '../../data/port.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { useFocusReturn } from '../../kit/use-focus-return.ts';
import { useMenuOverlay } from '../../kit/use-overlay.ts';
import { BellButton } from './Bell.tsx';
import { BrowserNotices } from './BrowserNotices.tsx';
import { FollowList } from './FollowList.tsx';
import { NotificationList } from './NotificationList.tsx';
import { useNotifications } from './port.ts';

const look = [
  'z-menu flex max-h-[min(36rem,calc(100dvh-5rem))] w-[min(27rem,calc(100vw-1rem))] flex-col',
  'rounded-md border border-border bg-overlay shadow-menu outline-0 data-[state=open]:animate-menu-in',
].join(' ');

/** The bell with its panel: what was told, and what is followed. */
export function BellPanel() {
  const { isOpen } = useNotifications();
  const isShown = useCell(isOpen);
  return (
    <Popover.Root open={isShown} onOpenChange={(open) => isOpen.set(open)}>
      <Popover.Trigger asChild>
        <BellButton />
      </Popover.Trigger>
      <Popover.Portal>{isShown && <Panel onClose={() => isOpen.set(false)} />}</Popover.Portal>
    </Popover.Root>
  );
}

function Panel({ onClose }: { readonly onClose: () => void }) {
  const { run } = useCommands();
  const { queries } = useData();
  const heading = useId();
  const [tab, setTab] = useState<'news' | 'followed'>('news');
  const told = useQuery(queries.notifications);
  const follows = useQuery(queries.follows);
  const list = told.data?.notifications ?? [];
  useMenuOverlay(true);
  const returning = useFocusReturn();
  const [opener] = useState(() => document.activeElement);
  const panel = useRef<HTMLDivElement>(null);
  return (
    <Popover.Content
      ref={panel}
      className={look}
      align="end"
      sideOffset={6}
      collisionPadding={8}
      aria-labelledby={heading}
      tabIndex={-1}
      // The panel itself: a screen reader says what it is, and Tab leads to what is in it.
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        panel.current?.focus();
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        returning(() => {
          if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
        });
      }}
    >
      <div className="flex flex-wrap items-center gap-1.5 border-b border-border py-2 pr-2 pl-3">
        <h2 id={heading} className="text-md font-semibold">
          Notifications
        </h2>
        <span className="min-w-0 flex-1" />
        {tab === 'news' && list.length > 0 && (
          <>
            <IconButton
              size="sm"
              label="Mark all as read"
              reason={told.data?.unread === 0 ? 'All are read.' : undefined}
              onClick={() => run('notifications.readAll')}
            >
              <CheckCheck size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
            <IconButton size="sm" label="Clear all" onClick={() => run('notifications.clearAll')}>
              <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </>
        )}
        <div className="flex gap-0.5" role="group" aria-label="What to show">
          {(
            [
              ['news', 'News', told.data?.unread ?? 0],
              ['followed', 'Followed', follows.data?.length ?? 0],
            ] as const
          ).map(([id, title, count]) => (
            <Button
              key={id}
              size="sm"
              variant={tab === id ? 'light' : 'transparent'}
              aria-pressed={tab === id}
              onClick={() => setTab(id)}
            >
              {title}
              {count > 0 && <span className="text-text-3">{count}</span>}
            </Button>
          ))}
        </div>
      </div>
      <div className="min-h-0 flex-1 scrollbar-thin overflow-y-auto overscroll-contain">
        {tab === 'news' ? (
          <NotificationList told={told} onOpened={onClose} panel={panel} />
        ) : (
          <FollowList follows={follows} onOpened={onClose} panel={panel} />
        )}
      </div>
      <div className="border-t border-border py-1.5 pr-2 pl-3 text-xs">
        <BrowserNotices />
      </div>
    </Popover.Content>
  );
}
