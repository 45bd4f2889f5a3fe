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
  /** Another one with the same tag, of another page of the console, takes its place. */
  readonly tag: string;
  readonly onClick: () => void;
}

/** Shows a notice of the browser where it may; the console's page comes to the front by a press on it. */
export function showNotice({ title, body, tag, onClick }: Notice): void {
  if (noticePermission() !== 'granted') return;
  let notice: Notification;
  try {
    notice = new Notification(title, { body, tag });
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
