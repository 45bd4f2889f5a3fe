import { toast } from 'react-hot-toast/headless';
import type { Toaster, ToastOptions } from '../../../registry/services.ts';

export type ToastType = 'success' | 'error' | 'warning' | 'info' | 'default';

/** What a toast shows; travels through the library as data. */
export interface ToastContent {
  readonly type: ToastType;
  readonly title: string;
  readonly detail?: string;
}

/** How long a toast stays (ms). */
export const toastDuration = 5_000;

const contents = new Map<string, ToastContent>();

/** What the toast with this id shows. */
export const contentOf = (id: string): ToastContent | undefined => contents.get(id);

/** Forgets what a removed toast showed. */
export function forgetToasts(living: ReadonlySet<string>): void {
  for (const id of contents.keys()) if (!living.has(id)) contents.delete(id);
}

/** The toaster of services. The same message already on screen is renewed instead of stacked. */
export function createToaster(): Toaster {
  const show = (type: ToastType, title: string, { detail, duration = toastDuration }: ToastOptions = {}) => {
    const content: ToastContent = { type, title, ...(detail === undefined ? {} : { detail }) };
    const id = `${type}:${title}:${detail ?? ''}`;
    contents.set(id, content);
    const isError = type === 'error';
    toast(title, {
      id,
      duration,
      ariaProps: { role: isError ? 'alert' : 'status', 'aria-live': isError ? 'assertive' : 'polite' },
    });
  };
  return {
    success: (title, options) => show('success', title, options),
    error: (title, options) => show('error', title, options),
    warning: (title, options) => show('warning', title, options),
    info: (title, options) => show('info', title, options),
  };
}
