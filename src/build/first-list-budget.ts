import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { aheadModules, laterModules, listModule } from './first-modules.ts';

/** Limits of JavaScript and style sheets as they are served, bytes. */
export const pageWeights = {
  /** Before the first row of a list. */
  firstList: 200_000,
  /** With all that a first visitor's page loads by itself. */
  idle: 300_000,
} as const;

/** Headers of an answer, bytes: about. */
const headers = 500;
/** Size below which the server sends a file as it is, bytes. */
const smallest = 1_024;

const inKb = (bytes: number) => `${(bytes / 1_000).toFixed(1)} KB`;

/** The chunks that some pass, with all they import. */
function chunksOf(
  bundle: Rolldown.OutputBundle,
  isWanted: (chunk: Rolldown.OutputChunk) => boolean,
): readonly Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const needed = new Set<string>();
  const take = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) take(other);
  };
  for (const chunk of chunks) if (isWanted(chunk)) take(chunk.fileName);
  return chunks.filter(({ fileName }) => needed.has(fileName));
}

const isFirst = ({ isEntry, moduleIds }: Rolldown.OutputChunk) => isEntry || moduleIds.includes(listModule);

/** The chunks of the entry and of the list screen, with all they import. */
export const firstChunksIn = (bundle: Rolldown.OutputBundle): readonly Rolldown.OutputChunk[] =>
  chunksOf(bundle, isFirst);

async function servedBytes(content: string | Uint8Array): Promise<number> {
  const { length } = Buffer.from(content);
  return headers + (length < smallest ? length : (await promisify(brotliCompress)(content)).length);
}

/**
 * Fails the build when the page is heavier than the limits: before its first list, or with what it loads by itself
 * afterwards. It changes nothing. `npm run bench -- --only weight` measures the same in a browser.
 */
export function pageWithin({ firstList, idle }: typeof pageWeights): Plugin {
  return {
    name: 'page-weight',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const first = firstChunksIn(bundle);
        if (first.length < 2) this.error('The list screen has no chunk of its own any more.');
        const ahead = [...laterModules, ...aheadModules];
        const all = chunksOf(
          bundle,
          (chunk) => isFirst(chunk) || ahead.some((module) => chunk.moduleIds.includes(module)),
        );
        const sheets = Object.values(bundle).flatMap((file) =>
          file.type === 'asset' && /assets.(?:first|index)-[^.]+\.css$/.test(file.fileName) ? [file] : [],
        );
        if (sheets.length < 2) this.error('The page has no style sheet of its first screen any more.');
        const isFirstSheet = ({ fileName }: Rolldown.OutputAsset) => fileName.includes('first-');
        const weigh = async (contents: readonly (string | Uint8Array)[]) =>
          (await Promise.all(contents.map(servedBytes))).reduce((sum, bytes) => sum + bytes, 0);
        const before = await weigh([
          ...first.map(({ code }) => code),
          ...sheets.filter(isFirstSheet).map(({ source }) => source),
        ]);
        const after =
          before +
          (await weigh([
            ...all.filter((chunk) => !first.includes(chunk)).map(({ code }) => code),
            ...sheets.filter((sheet) => !isFirstSheet(sheet)).map(({ source }) => source),
          ]));
        if (before > firstList)
          this.error(
            `The page takes ${inKb(before)} before its first list; the limit is ${inKb(firstList)}.`,
          );
        if (after > idle) this.error(`The page loads ${inKb(after)} by itself; the limit is ${inKb(idle)}.`);
      },
    },
  };
}
