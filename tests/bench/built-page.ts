import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { measuredCheckout } from './checkout.ts';

const built = join(measuredCheckout, 'dist/page');

/** Sizes of the built page as it is served, in bytes of gzip. */
export interface PageBytes {
  /** JavaScript that the page itself names. */
  readonly entry: number;
  /** JavaScript that the page asks for before its first list, with all that imports. */
  readonly firstList: number;
  /** All JavaScript and style sheets. */
  readonly everything: number;
}

const gzipped = (content: string): number => gzipSync(content, { level: 9 }).length;

async function newestBuild(): Promise<string> {
  const builds = (await readdir(built)).filter((name) => !name.startsWith('.'));
  const made = await Promise.all(
    builds.map(async (name) => ({ name, at: (await stat(join(built, name))).mtimeMs })),
  );
  const newest = made.sort((a, b) => b.at - a.at)[0]?.name;
  if (newest === undefined) throw new Error('There is no built page: npm run build makes it.');
  return join(built, newest);
}

/** Sizes of the newest built page. Throws where there is none. */
export async function pageBytes(): Promise<PageBytes> {
  const folder = await newestBuild();
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const named = (pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, path = '']) => path);
  const entry = new Set(named(/<script[^>]*src="\/(assets\/[^"]+\.js)"/g));
  const files = new Map<string, number>();
  const take = async (path: string): Promise<void> => {
    if (files.has(path)) return;
    files.set(path, 0);
    const code = await readFile(join(folder, path), 'utf8');
    files.set(path, gzipped(code));
    const imports = code.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g);
    for (const [, name = ''] of imports) await take(`assets/${name}`);
  };
  for (const path of named(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) await take(path);
  const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, bytes) => total + bytes, 0);
  const assets = (await readdir(join(folder, 'assets'))).filter((name) => /\.(?:js|css)$/.test(name));
  const all = await Promise.all(
    assets.map(async (name) => gzipped(await readFile(join(folder, 'assets', name), 'utf8'))),
  );
  return {
    entry: sum([...files].filter(([path]) => entry.has(path)).map(([, bytes]) => bytes)),
    firstList: sum(files.values()),
    everything: sum(all),
  };
}
