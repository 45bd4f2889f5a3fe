import type { Toaster } from '../../registry/commands/services.ts';
import { dialogConfirms } from './open-guards.ts';

/**
 * Does what the topmost dialog asks about, as a press of its button does; says why where that cannot be done. Nothing
 * while the dialog confirms nothing, see `armDialog`.
 */
export function submitDialog(toast: Pick<Toaster, 'info'>): void {
  const dialog = [...document.querySelectorAll('[data-dialog]')].at(-1);
  const button = dialog?.querySelector<HTMLButtonElement>('footer [data-acts]');
  if (button == null) return;
  if (button.disabled) {
    if (button.title !== '') toast.info(button.title);
  } else if (dialogConfirms()) button.click();
}
