import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { measuredCheckout } from './checkout.ts';

const built = join(measuredCheckout, 'dist/page');

/** JavaScript that the newest built page asks for before its first list, with all that imports; bytes of gzip. */
export async function firstListBytes(): Promise<number> {
  const builds = (await readdir(built)).filter((name) => !name.startsWith('.'));
  const made = await Promise.all(
    builds.map(async (name) => ({ name, at: (await stat(join(built, name))).mtimeMs })),
  );
  const newest = made.sort((a, b) => b.at - a.at)[0]?.name;
  if (newest === undefined) throw new Error('There is no built page: npm run build makes it.');
  const folder = join(built, newest);
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const asked = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const files = new Map<string, number>();
  const take = async (path: string): Promise<void> => {
    if (files.has(path)) return;
    files.set(path, 0);
    const code = await readFile(join(folder, path), 'utf8');
    files.set(path, gzipSync(code, { level: 9 }).length);
    const imports = code.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g);
    for (const [, name = ''] of imports) await take(`assets/${name}`);
  };
  for (const path of asked) await take(path);
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}
