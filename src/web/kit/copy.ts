import type { Toaster } from '../../registry/services.ts';

/** Puts a text on the clipboard and says how that went. @param what is copied, as a heading */
export async function copyText(what: string, text: string, toast: Toaster): Promise<void> {
  // Absent on pages that are not served over https or loopback.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard === undefined) throw new Error('There is no clipboard.');
    await clipboard.writeText(text);
    toast.success(`${what} copied`);
  } catch {
    toast.error('The browser did not allow copying.');
  }
}
