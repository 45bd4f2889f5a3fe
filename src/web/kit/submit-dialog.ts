import type { Toaster } from '../../registry/services.ts';

/** Does what the topmost dialog asks about, as a press of its button does; says why where that cannot be done. */
export function submitDialog(toast: Pick<Toaster, 'info'>): void {
  const dialog = [...document.querySelectorAll('[data-dialog]')].at(-1);
  const button = dialog?.querySelector<HTMLButtonElement>('footer [data-acts]');
  if (button == null) return;
  if (!button.disabled) button.click();
  else if (button.title !== '') toast.info(button.title);
}
