import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { eventTone, type Notification } from '../../../contract/notifications.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useNotifications } from './port.ts';
import { newsOf } from './news-of.ts';

/** Tells of what came to the bell while this page is open: by a toast what went well or wrong, the rest in a word. */
export function News() {
  const { services, run } = useCommands();
  const { queries } = useData();
  const { isOpen } = useNotifications();
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
    if (isOpen.get()) return;
    const { toast, workspace } = services;
    const show = (one: Notification) => {
      const options = {
        detail: one.cluster.name,
        actions: [{ label: 'Open', run: () => workspace.open(one.path) }],
      };
      if (eventTone(one.type) === 'ok') toast.success(one.title, options);
      else toast.warning(one.title, options);
    };
    if (loud.length <= 2) for (const one of loud) show(one);
    else
      toast.warning(`${loud.length} new notifications`, {
        actions: [{ label: 'Show', run: () => run('notifications.show') }],
      });
  }, [list, services, run, isOpen]);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {said}
    </p>
  );
}
