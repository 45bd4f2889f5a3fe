import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { eventTone } from '../../../contract/event-tone.ts';
import type { Notification } from '../../../contract/notifications.ts';
import { useCommands } from '../../core/commands.ts';
import { useKept } from '../../core/state/port.ts';
import { useData } from '../../data/port.ts';
import { useNotifications } from './port.ts';
import { showNotice } from './browser-notice.ts';
import { newsOf, placeOf } from './news-of.ts';

/** Notices of the browser that are shown together, at most. */
const noticeLimit = 3;

/** Tells of what came to the bell while this page is open: by a toast what went well or wrong, the rest in a word. */
export function News() {
  const { services, run } = useCommands();
  const { queries } = useData();
  const { isOpen } = useNotifications();
  const { browserNotices } = useKept();
  const list = useQuery(queries.notifications).data?.notifications;
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (list === undefined) return;
    const before = known.current;
    known.current = new Set(list.map(({ id }) => id));
    if (before === undefined) return;
    const { loud, count } = newsOf(list, before);
    if (count > 0) setSaid(count === 1 ? 'One new notification' : `${count} new notifications`);
    // Who looks at the bell sees it there.
    if (isOpen.get() && !document.hidden) return;
    const { toast, workspace } = services;
    const show = (one: Notification) => {
      const options = {
        detail: placeOf(one),
        actions: [{ label: 'Open', run: () => workspace.open(one.path) }],
      };
      if (eventTone(one.type) === 'ok') toast.success(one.title, options);
      else toast.warning(one.title, options);
    };
    if (document.hidden && browserNotices.get())
      for (const one of loud.slice(-noticeLimit))
        showNotice({
          title: one.title,
          body: placeOf(one),
          onClick: () => workspace.open(one.path),
        });
    if (loud.length <= 2) for (const one of loud) show(one);
    else
      toast.warning(`${loud.length} new notifications`, {
        actions: [{ label: 'Show', run: () => run('notifications.show') }],
      });
  }, [list, services, run, isOpen, browserNotices]);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {said}
    </p>
  );
}
