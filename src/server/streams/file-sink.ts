import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

const newline = 10;

/**
 * Appends lines to a file and returns once the disk has them. The file is opened for each call, so that one that was
 * moved away is made anew. What a server that was killed left unfinished becomes a line of its own. Throws what the
 * file system throws, or where the path is no file.
 */
export async function appendLines(path: string, text: string): Promise<void> {
  const file = await open(path, 'a+', 0o640);
  let isNew = false;
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new Error('It is not a regular file.');
    isNew = facts.size === 0;
    const last = Buffer.alloc(1);
    if (!isNew) await file.read(last, 0, 1, facts.size - 1);
    await file.appendFile(isNew || last[0] === newline ? text : `\n${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
  // The name of a new file is on the disk with its folder.
  if (!isNew) return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
