// The entry point of `npm run playground` and of the server's child process: plain JavaScript, so that the compile
// cache holds for all the rest. Both set V8 for a small process: it shares its machine with what it demonstrates.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const cache = here('../../node_modules/.cache/wheelhouse');

/** When the newest of the sources in some folders was written, ms. */
function newest(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => `${folder}/${String(name)}`),
  );
  return Math.max(...files.filter((name) => name.endsWith('.ts')).map((name) => statSync(name).mtimeMs));
}

/**
 * Sources that are not in the cache yet are read by a process of its own, which then ends: what strips their types
 * stays in memory for good (some 28 MB). Where that fails, this process reads them itself.
 */
function warmUp() {
  // What is compiled with other flags is of no use.
  const mark = `${cache}/playground${encodeURIComponent(process.execArgv.join(''))}`;
  try {
    const sources = newest([here('.'), here('../kube')]);
    if ((statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sources) return;
    const reader = [...process.execArgv, here('warm.mjs'), '--help'];
    if (spawnSync(process.execPath, reader, { stdio: 'ignore' }).status === 0) writeFileSync(mark, '');
  } catch {
    // A folder that may not be written to costs memory, and nothing else.
  }
}

if (module.enableCompileCache !== undefined) {
  warmUp();
  module.enableCompileCache(cache);
}
await import('./main.ts');
