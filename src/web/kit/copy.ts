import type { Toaster } from '../../registry/commands/services.ts';

/**
 * Puts a text on the clipboard and says how that went.
 * @param what is copied, as a heading
 * @param isShown the message shows the text itself: it is one line
 */
export async function copyText(what: string, text: string, toast: Toaster, isShown = false): Promise<void> {
  // Absent on pages that are not served over https or loopback.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard === undefined) throw new Error('There is no clipboard.');
    await clipboard.writeText(text);
    toast.success(`${what} copied`, isShown ? { detail: text } : {});
  } catch {
    toast.error('The browser did not allow copying.');
  }
}
