import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';
import { iconSprite } from './icon-sprite.ts';
import { monacoUnderPolicy } from './monaco-policy.ts';
import type { Endpoint } from './src/contract/endpoint.ts';

/**
 * Takes the schemas out of the built page: of the table of calls the client reads method, path, access, what
 * is said of a failure and whether there is an answer, and of the rest of the contract the page needs constants; the server does the validating. Saves
 * some 30 KB compressed. Code of the page itself may still import zod.
 */
function contractWithoutSchemas(): Plugin {
  const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const table = fileOf('./src/contract/api.ts');
  return {
    name: 'contract-without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === 'zod' && importer !== undefined && /\/src\/contract\/[^/]+\.ts$/.test(importer)
        ? fileOf('./src/web/data/no-schemas.ts')
        : null,
    async load(id) {
      if (id !== table) return null;
      const { api } = (await import(pathToFileURL(table).href)) as {
        api: Readonly<Record<string, Endpoint>>;
      };
      const calls = Object.entries(api).map(([name, { method, path, access, response, failure }]) => [
        name,
        { method, path, access, failure, ...(response === undefined ? {} : { response: true }) },
      ]);
      return `export const api = ${JSON.stringify(Object.fromEntries(calls))};`;
    },
  };
}

/** Plain data as the code of a module, each part of it that stands there more than once written once. */
function sharedCode(name: string, data: unknown): string {
  const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (!isPart(value)) return;
    const text = JSON.stringify(value);
    const known = counts.get(text) ?? 0;
    counts.set(text, known + 1);
    if (known === 0) for (const part of Object.values(value)) count(part);
  };
  count(data);
  const names = new Map<string, string>();
  const lines: string[] = [];
  const literal = (value: object): string =>
    Array.isArray(value)
      ? `[${value.map(write).join(',')}]`
      : `{${Object.entries(value)
          .map(([key, part]) => `${JSON.stringify(key)}:${write(part)}`)
          .join(',')}}`;
  function write(value: unknown): string {
    if (!isPart(value)) return JSON.stringify(value);
    const text = JSON.stringify(value);
    // Compressed, a name costs more than a short part, or one that comes twice.
    if ((counts.get(text) ?? 0) < 4 || text.length < 60) return literal(value);
    const known = names.get(text);
    if (known !== undefined) return known;
    const body = literal(value);
    const own = `part${names.size}`;
    names.set(text, own);
    lines.push(`const ${own} = ${body};`);
    return own;
  }
  const body = write(data);
  return `${lines.join('\n')}\nexport const ${name} = ${body};`;
}

/**
 * Puts the values of `first-facts.ts`, `first-lists.ts` and `action-facts.ts` of `commands/kinds` into the built page in place of the
 * modules: what a page carries is the kinds' data; their code (sections, statuses, requests) comes with the first detail.
 */
function kindsAsData(): Plugin {
  const names = new Map(
    Object.entries({
      'first-facts.ts': 'firstFacts',
      'first-lists.ts': 'firstLists',
      'action-facts.ts': 'actionFacts',
    }).map(([file, name]) => [fileURLToPath(new URL(`./commands/kinds/${file}`, import.meta.url)), name]),
  );
  return {
    name: 'kinds-as-data',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      const name = names.get(id);
      if (name === undefined) return null;
      const module = (await import(pathToFileURL(id).href)) as Readonly<Record<string, unknown>>;
      return sharedCode(name, module[name]);
    },
  };
}

const listPage = fileURLToPath(new URL('./src/web/resource/ListPage.tsx', import.meta.url));

/** Everything a module imports before it runs, itself included. */
function importedBy(id: string, context: Rolldown.ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const other of context.getModuleInfo(id)?.importedIds ?? []) importedBy(other, context, found);
  return found;
}

const earlyPage = fileURLToPath(new URL('./src/web/app/early.ts', import.meta.url));

let listModules: ReadonlySet<string> | undefined;
let earlyModules: ReadonlySet<string> | undefined;

/**
 * What asks for the first rows in a chunk of its own, which runs before the others are here; what every screen needs in one chunk, and what lists need besides in another, whatever else shares it: split by who
 * shares what, it came as twenty small ones, which compress badly (5 KB) and are asked for one by one.
 */
const firstChunks: NonNullable<Rolldown.CodeSplittingOptions['groups']> = [
  {
    debugName: 'early',
    name: (id, context) => {
      earlyModules ??= importedBy(earlyPage, context);
      return earlyModules.has(id) ? 'early' : null;
    },
    priority: 3,
    includeDependenciesRecursively: false,
  },
  { name: 'page', tags: ['$initial'], priority: 2 },
  {
    debugName: 'list',
    name: (id, context) => {
      listModules ??= importedBy(listPage, context);
      return listModules.has(id) ? 'list' : null;
    },
    priority: 1,
    includeDependenciesRecursively: false,
  },
];

/** JavaScript a page may take before the first list is on screen, in bytes of gzip. */
const firstListBudget = 170 * 1024;

/** Fails the build when the page's entry and the list screen, with all they import, are over the budget. */
function firstListWithin(budget: number): Plugin {
  return {
    name: 'first-list-budget',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const needed = new Set<string>();
        const take = (name: string) => {
          if (needed.has(name)) return;
          needed.add(name);
          for (const other of chunks.find((chunk) => chunk.fileName === name)?.imports ?? []) take(other);
        };
        for (const { fileName, isEntry, moduleIds } of chunks)
          if (isEntry || moduleIds.includes(listPage)) take(fileName);
        const sizes = await Promise.all(
          chunks
            .filter(({ fileName }) => needed.has(fileName))
            .map(async ({ code }) => (await promisify(gzip)(code, { level: 9 })).length),
        );
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const inKb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
        if (needed.size < 2) this.error('The list screen has no chunk of its own any more.');
        if (total > budget)
          this.error(
            `The page takes ${inKb(total)} of JavaScript before its first list; the budget is ${inKb(budget)}.`,
          );
      },
    },
  };
}

/** Runs the early chunk before the page's own, and asks for the list's chunk beside these, not after they have run. */
function askedBesidePage(): Plugin {
  return {
    name: 'asked-beside-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunkOf = (id: string) =>
          Object.values(bundle).find((file) => file.type === 'chunk' && file.moduleIds.includes(id));
        const [early, list] = [chunkOf(earlyPage), chunkOf(listPage)];
        if (early === undefined || list === undefined)
          throw new Error('The first list or what asks for it has no chunk of its own any more.');
        const crossorigin = true;
        return [
          {
            tag: 'script',
            // Runs as soon as it is here.
            attrs: { type: 'module', async: true, crossorigin, src: `/${early.fileName}` },
            injectTo: 'head-prepend',
          },
          {
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin, href: `/${list.fileName}` },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}

/** Tests that start no server with a database (conformance of the kinds does), and leave nothing behind in their process. */
const plainTests = ['contract', 'kinds', 'kube', 'registry', 'web', 'workspace'].map(
  (folder) => `tests/${folder}/**/!(conformance).test.ts`,
);

export default defineConfig({
  plugins: [
    contractWithoutSchemas(),
    kindsAsData(),
    iconSprite(),
    monacoUnderPolicy(),
    react(),
    tailwindcss(),
    askedBesidePage(),
    firstListWithin(firstListBudget),
  ],
  publicDir: 'src/web/public',
  // React has had `useSyncExternalStore` itself since 18: the package's own variant without the copy of it.
  resolve: {
    alias: [
      {
        find: /^use-sync-external-store\/shim\/with-selector$/,
        replacement: 'use-sync-external-store/with-selector',
      },
      // monaco-worker-manager asks for where the editor's modules lay before 0.56.
      { find: /^monaco-editor\/esm\/vs\/(.*?)(?:\.js)?$/, replacement: 'monaco-editor/$1' },
    ],
  },
  worker: { format: 'es' },
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: true,
    rolldownOptions: {
      output: { codeSplitting: { groups: firstChunks } },
      // Whoever starts the console for the first time reads what it says, not how its build might be quicker.
      checks: { bundlerTimings: false },
    },
    // The editor's chunk is as large as it is, and comes with the first text that is edited; `firstListWithin` judges.
    chunkSizeWarningLimit: 4000,
    // Every browser this builds for preloads by itself.
    modulePreload: { polyfill: false },
    // Fonts and images stay files: the content security policy takes no font from a data: address.
    assetsInlineLimit: 0,
  },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        // Plain functions: many files in one process, since reading all modules anew takes longer than the tests.
        test: { name: 'plain', include: plainTests, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'running',
          include: ['tests/**/*.test.ts'],
          exclude: [...plainTests, 'tests/e2e/**'],
          globalSetup: ['tests/server/global-setup.ts'],
        },
      },
    ],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A condition that holds at once on a quiet machine takes longer on a busy one.
    expect: { poll: { timeout: 10_000, interval: 20 } },
  },
});
