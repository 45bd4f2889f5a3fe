import type { Toaster } from '../../../registry/commands/services.ts';
import { plainText } from './ansi.ts';
import type { LogBuffer } from './buffer.ts';
import type { Rows } from './matches.ts';

/** Characters that are copied at once, at most. */
const maxCopy = 20 * 1024 * 1024;

/** Copies the rows of a log without colours, and says how many. */
export async function copyLog(
  rows: Rows,
  buffer: Pick<LogBuffer, 'at'>,
  toast: Pick<Toaster, 'success' | 'error'>,
): Promise<void> {
  const texts: string[] = [];
  let size = 0;
  for (let index = 0; index < rows.count && size < maxCopy; index += 1) {
    const line = buffer.at(rows.at(index));
    const text = line === undefined ? '' : plainText(line[1]);
    size += text.length;
    texts.push(text);
  }
  try {
    await navigator.clipboard.writeText(texts.join('\n'));
    toast.success(texts.length === 1 ? 'Copied 1 line' : `Copied ${texts.length} lines`);
  } catch {
    toast.error('The browser did not allow copying.');
  }
}
