/** Whether this browser may show notices of its own. */
export type NoticePermission = NotificationPermission | 'unsupported';

/** Whether this browser may show notices of its own, at this moment. */
export const noticePermission = (): NoticePermission =>
  'Notification' in window ? Notification.permission : 'unsupported';

/** Asks the person whether it may. Only after a press of theirs: browsers refuse it, and people too, without one. */
export const askForNotices = (): Promise<NoticePermission> => Notification.requestPermission();

/** A notice of the browser. */
interface Notice {
  readonly title: string;
  readonly body: string;
  readonly onClick: () => void;
}

/**
 * Shows a notice of the browser where it may, in place of one with the same texts: the bell and the work begun here may
 * tell of the same, and so may other pages of the console. The console's page comes to the front by a press on it.
 */
export function showNotice({ title, body, onClick }: Notice): void {
  if (noticePermission() !== 'granted') return;
  let notice: Notification;
  try {
    notice = new Notification(title, { body, tag: `${body}: ${title}` });
  } catch {
    // Browsers of phones show notices of service workers alone: the toast has to do.
    return;
  }
  notice.addEventListener('click', () => {
    window.focus();
    onClick();
    notice.close();
  });
}
