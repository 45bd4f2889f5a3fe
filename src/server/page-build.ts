import { createHash, randomBytes } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { StartError } from './start-error.ts';

/** A finished build of the page. */
export interface PageBuild {
  /** Hash of everything the page is made of. */
  readonly build: string;
  readonly pageDir: string;
}

/** Folder of the checkout. */
export const checkout = resolve(import.meta.dirname, '../..');

/** What the page is made of: a change in any of these is a new build. */
const sources = [
  'commands',
  'icon-sprite.ts',
  'index.html',
  'monaco-policy.ts',
  'package-lock.json',
  'src/contract',
  'src/kube',
  'src/registry',
  'src/tsconfig.web.json',
  'src/web',
  'tsconfig.json',
  'vite.config.ts',
];
/** A running server goes on serving the chunks of the build that it started with. */
const buildsKept = 3;
// Source maps are asked for by hand, if ever, and are most of the bytes.
const compressible = /\.(js|css|html|svg|json)$/;

/**
 * The build of these sources, made first when there is none. It is made in a folder of its own and takes its name
 * in one step: two starts at once make it twice at worst, and neither sees the other's half.
 * @param say Called before a build, which takes some seconds.
 * Throws StartError when the page cannot be built.
 */
export async function ensurePage(
  say: (sentence: string) => void,
  outDir: string = join(checkout, 'dist/page'),
): Promise<PageBuild> {
  const build = await hashSources();
  const pageDir = join(outDir, build);
  if (existsSync(pageDir)) return { build, pageDir };
  say('Building the page: this is the first start, or its sources have changed.');
  const draft = join(outDir, `.${build}-${randomBytes(4).toString('hex')}`);
  // Vite builds React's development half under any other NODE_ENV: three times the size, and slower.
  const nodeEnv = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await mkdir(outDir, { recursive: true });
    const vite = await import('vite');
    await vite.build({
      root: checkout,
      configFile: join(checkout, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: draft, emptyOutDir: true },
    });
    await compress(draft);
    await rename(draft, pageDir).catch((error: NodeJS.ErrnoException) => {
      // Another start was faster with the same sources: its build is as good.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw new StartError(`The page could not be built: ${(error as Error).message}`, { cause: error });
  } finally {
    if (nodeEnv === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = nodeEnv;
    await rm(draft, { recursive: true, force: true });
  }
  await removeOld(outDir, build);
  return { build, pageDir };
}

/** The hash of the page's sources, 16 hex digits. */
export async function hashSources(root: string = checkout): Promise<string> {
  const hash = createHash('sha256');
  for (const name of sources) {
    for (const file of (await filesIn(root, name)).sort()) {
      hash.update(`${file}\0`);
      hash.update(await readFile(join(root, file)));
      hash.update('\0');
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(root: string, name: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, name), { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return [name];
    if (code === 'ENOENT') return [];
    throw error;
  }
  const found = await Promise.all(
    entries
      .filter((entry) => !entry.name.startsWith('.'))
      .map(async (entry) => {
        const path = `${name}/${entry.name}`;
        return entry.isDirectory() ? await filesIn(root, path) : [path];
      }),
  );
  return found.flat();
}

/** Puts a brotli and a gzip twin beside every text file, which the server sends as they are. */
async function compress(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !compressible.test(entry.name)) continue;
    const content = await readFile(file);
    if (content.length < 1024) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}

async function removeOld(outDir: string, current: string): Promise<void> {
  const names = (await readdir(outDir)).filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== current);
  const dated = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(outDir, name))).mtimeMs })),
  );
  dated.sort((a, b) => b.time - a.time);
  for (const { name } of dated.slice(buildsKept - 1))
    await rm(join(outDir, name), { recursive: true, force: true });
}
