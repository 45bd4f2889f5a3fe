import { createHash, randomBytes } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkBuildMemory, readMemory } from './build-memory.ts';
import { buildInChild } from './page-build-process.ts';
import { StartError } from '../kit/start-error.ts';

/** A finished build of the page. */
export interface PageBuild {
  /** Hash of everything the page is made of. */
  readonly build: string;
  readonly pageDir: string;
}

/** Folder of the checkout. */
export const checkout = resolve(import.meta.dirname, '../../..');

/** The sources of the page: a change in any of them needs a new build. */
const sources = [
  'commands',
  'index.html',
  'package-lock.json',
  'src/build',
  'src/contract',
  'src/kube',
  'src/registry',
  'src/tsconfig.web.json',
  'src/web',
  'tsconfig.json',
  'vite.config.ts',
];
/** The file beside the builds that names the one to serve where its sources were left out, as in an image. */
export const builtPageFile = 'built';
/** A running server goes on serving the chunks of the build that it started with. */
const buildsKept = 3;

/**
 * The build of these sources, made first when there is none, or the one that an image brings. It is made in a folder of its own and takes its name
 * in one step: two starts at once make it twice at worst, and neither sees the other's half.
 * @param say Called before a build, which takes some seconds.
 * Throws StartError when the page cannot be built, and before it begins when there is too little memory. A signal meanwhile ends the build and this process.
 */
export async function ensurePage(
  say: (sentence: string) => void,
  outDir: string = join(checkout, 'dist/page'),
): Promise<PageBuild> {
  const build = (await builtPage(outDir)) ?? (await hashSources());
  const pageDir = join(outDir, build);
  if (existsSync(pageDir)) return { build, pageDir };
  const warning = checkBuildMemory(readMemory());
  say(
    'Building the page, which takes one to two minutes: this is the first start, or its sources have changed.',
  );
  if (warning !== undefined) say(warning);
  const draft = join(outDir, `.${build}-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(outDir, { recursive: true });
    await buildInChild(checkout, draft);
    await rename(draft, pageDir).catch((error: NodeJS.ErrnoException) => {
      // Another start was faster with the same sources: its build is as good.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The page could not be built: ${(error as Error).message}`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOld(outDir, build);
  return { build, pageDir };
}

/** The build that is to be served whatever the sources are; undefined where they are all here. */
async function builtPage(outDir: string): Promise<string | undefined> {
  const name = join(outDir, builtPageFile);
  return existsSync(name) ? await readFile(name, 'utf8') : undefined;
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

async function removeOld(outDir: string, current: string): Promise<void> {
  const names = (await readdir(outDir)).filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== current);
  const dated = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(outDir, name))).mtimeMs })),
  );
  dated.sort((a, b) => b.time - a.time);
  for (const { name } of dated.slice(buildsKept - 1))
    await rm(join(outDir, name), { recursive: true, force: true });
}
