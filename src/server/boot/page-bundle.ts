import { readdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

// Source maps are asked for by hand, if ever, and are most of the bytes.
const compressible = /\.(js|css|html|svg|json)$/;

/** Size from which a file is compressed in less time, bytes: the editor's megabytes would take ten seconds of a start. */
const largeFrom = 1_000_000;

/**
 * Builds the page of a checkout into a folder. Runs in a process of its own, which ends afterwards: what a build loads
 * would stay in memory for as long as the server runs.
 */
export async function bundlePage(root: string, folder: string): Promise<void> {
  const config = join(root, 'vite.config.ts');
  await build({
    root,
    configFile: existsSync(config) ? config : false,
    // Node reads TypeScript: to bundle the settings first takes seconds, and prints hints at the bundler's speed.
    configLoader: 'native',
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  });
  await compress(folder);
}

/** Puts a brotli and a gzip twin beside every text file, which the server sends as they are. */
async function compress(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !compressible.test(entry.name)) continue;
    const content = await readFile(file);
    if (content.length < 1024) continue;
    const quality = content.length > largeFrom ? 9 : constants.BROTLI_MAX_QUALITY;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}
