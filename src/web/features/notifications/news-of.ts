import { eventTone } from '../../../contract/event-tone.ts';
import type { Notification } from '../../../contract/notifications.ts';

/** What came to the bell. */
interface News {
  /** Events of success or trouble outside of quiet hours, the oldest first: worth a toast. */
  readonly loud: readonly Notification[];
  /** All that came. */
  readonly count: number;
}

/**
 * What of a list is new and unread.
 * @param before ids of the list that was known
 */
export function newsOf(list: readonly Notification[], before: ReadonlySet<string>): News {
  const fresh = list.filter(({ id, isRead }) => !isRead && !before.has(id));
  return {
    count: fresh.length,
    loud: fresh.filter(({ type, isQuiet }) => isQuiet !== true && eventTone(type) !== 'info').toReversed(),
  };
}

/** Where a notification is from: the name of the cluster, or the person's own account. */
export const placeOf = ({ cluster }: Pick<Notification, 'cluster'>): string =>
  cluster?.name ?? 'Your account';
