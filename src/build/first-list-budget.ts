import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { listModule } from './first-modules.ts';

/** JavaScript a page may take before the first list is on screen, in bytes of gzip. */
export const firstListBudget = 240 * 1024;

const inKb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

/** The chunks of the entry and of the list screen, with all they import. */
function firstListChunks(bundle: Rolldown.OutputBundle): readonly Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const needed = new Set<string>();
  const take = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) take(other);
  };
  for (const { fileName, isEntry, moduleIds } of chunks)
    if (isEntry || moduleIds.includes(listModule)) take(fileName);
  return chunks.filter(({ fileName }) => needed.has(fileName));
}

/** Fails the build when the page takes more JavaScript before its first list than the budget. It changes nothing. */
export function firstListWithin(budget: number): Plugin {
  return {
    name: 'first-list-budget',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const needed = firstListChunks(bundle);
        if (needed.length < 2) this.error('The list screen has no chunk of its own any more.');
        const sizes = await Promise.all(
          needed.map(async ({ code }) => (await promisify(gzip)(code, { level: 9 })).length),
        );
        const total = sizes.reduce((sum, size) => sum + size, 0);
        if (total > budget)
          this.error(
            `The page takes ${inKb(total)} of JavaScript before its first list; the budget is ${inKb(budget)}.`,
          );
      },
    },
  };
}
