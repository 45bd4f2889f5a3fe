import type { ToastAction, Toaster, ToastOptions } from '../../../registry/commands/services.ts';
import { observed } from '../../core/state/state.ts';

export const toastTypes = ['success', 'error', 'warning', 'info', 'default'] as const;
export type ToastType = (typeof toastTypes)[number];

export const toastPositions = [
  'top-left',
  'top-center',
  'top-right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const;
export type ToastPosition = (typeof toastPositions)[number];

/** The content of a toast; the library only carries its id. */
export interface ToastContent {
  readonly type: ToastType;
  readonly title: string;
  readonly detail?: string;
  /** At most two show. */
  readonly actions?: readonly ToastAction[];
}

/** How toasts appear that do not say it themselves. */
export interface ToastDefaults {
  readonly position: ToastPosition;
  /** Milliseconds. */
  readonly duration: number;
}

export interface AddToast extends ToastOptions {
  /** A toast with the same id on screen is replaced. Without one the same words are. */
  readonly id?: string;
  readonly position?: ToastPosition;
}

/** The library of toasts: no list waits for it. */
const library = () => import('react-hot-toast/headless');

/** How long a toast fades after it ended (ms). */
const fading = 180;

/** Top right, five seconds (specification section 9). New toasts read the current value. */
export const toastDefaults = observed<ToastDefaults>({ position: 'top-right', duration: 5_000 });

/** Changes how later toasts appear. */
export function updateToastDefaults(change: Partial<ToastDefaults>): void {
  toastDefaults.update((present) => ({ ...present, ...change }));
}

/** The content of a toast is kept at least this long (ms): a new toast is on screen only some frames later. */
const keptFor = 60_000;
const contents = new Map<string, { readonly content: ToastContent; readonly since: number }>();

/** The content of the toast with this id. */
export const contentOf = (id: string): ToastContent | undefined => contents.get(id)?.content;

/** Forgets what toasts showed that are gone for good. */
export function forgetToasts(living: ReadonlySet<string>): void {
  const before = performance.now() - keptFor;
  for (const [id, { since }] of contents) if (since < before && !living.has(id)) contents.delete(id);
}

/** Shows a toast and gives its id. */
export function addToast(type: ToastType, title: string, options: AddToast = {}): string {
  const { position, duration } = { ...toastDefaults.get(), ...options };
  const id = options.id ?? `${type}:${title}:${options.detail ?? ''}`;
  const { detail, actions } = options;
  const content: ToastContent = {
    type,
    title,
    ...(detail === undefined ? {} : { detail }),
    ...(actions === undefined ? {} : { actions: actions.slice(0, 2) }),
  };
  contents.set(id, { content, since: performance.now() });
  const isError = type === 'error';
  void library().then(({ toast }) =>
    toast(title, {
      id,
      duration,
      position,
      removeDelay: fading,
      ariaProps: { role: isError ? 'alert' : 'status', 'aria-live': isError ? 'assertive' : 'polite' },
    }),
  );
  return id;
}

/** Changes what a toast on screen says, in its place; its time begins anew. Does nothing once it is gone. */
export function updateToast(id: string, change: Partial<ToastContent> & AddToast): void {
  const present = contentOf(id);
  if (present === undefined) return;
  const { type, title, ...rest } = { ...present, ...change };
  addToast(type, title, { ...rest, id });
}

/** Ends a toast. */
export function dismissToast(id: string): void {
  void library().then(({ toast }) => toast.dismiss(id));
}

/** Ends all toasts. */
export function clearToasts(): void {
  void library().then(({ toast }) => toast.dismiss());
}

/** The toaster of services. The same message already on screen is renewed instead of stacked. */
export function createToaster(): Toaster {
  const say =
    (type: ToastType) =>
    (title: string, options?: ToastOptions): void => {
      addToast(type, title, options);
    };
  return { success: say('success'), error: say('error'), warning: say('warning'), info: say('info') };
}
