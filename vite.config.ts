import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import type { Endpoint } from './src/contract/endpoint.ts';

/** Puts a .br and a .gz beside every text asset: the server sends them as they are and compresses nothing itself. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(?:js|css|svg|json)$/.test(fileName)) continue;
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          if (source.length < 1024) continue;
          const [brotli, gzipped] = await Promise.all([
            promisify(brotliCompress)(source),
            promisify(gzip)(source, { level: 9 }),
          ]);
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotli });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipped });
        }
      },
    },
  };
}

/**
 * Takes the schemas out of the built page: of the table of calls the client reads method, path, access and whether
 * there is an answer, and of the rest of the contract the page needs constants; the server does the validating. Saves
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
      const calls = Object.entries(api).map(([name, { method, path, access, response }]) => [
        name,
        { method, path, access, ...(response === undefined ? {} : { response: true }) },
      ]);
      return `export const api = ${JSON.stringify(Object.fromEntries(calls))};`;
    },
  };
}

/**
 * Puts the value of `commands/kinds/facts.ts` into the built page in place of the module: what a page carries from its
 * first moment is the kinds' data; their code (sections, statuses, requests) comes with the first detail.
 */
function kindsAsData(): Plugin {
  const module = fileURLToPath(new URL('./commands/kinds/facts.ts', import.meta.url));
  return {
    name: 'kinds-as-data',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (id !== module) return null;
      const { kindFacts } = (await import(pathToFileURL(module).href)) as { kindFacts: unknown };
      return `export const kindFacts = ${JSON.stringify(kindFacts)};`;
    },
  };
}

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
        for (const { fileName, isEntry, name } of chunks) if (isEntry || name === 'ListPage') take(fileName);
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

export default defineConfig({
  plugins: [
    contractWithoutSchemas(),
    kindsAsData(),
    react(),
    tailwindcss(),
    precompress(),
    firstListWithin(firstListBudget),
  ],
  publicDir: 'src/web/public',
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: true,
    // Every browser this builds for preloads by itself.
    modulePreload: { polyfill: false },
    // Fonts and images stay files: the content security policy takes no font from a data: address.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Small modules that every page needs and later parts use as well: a chunk for each of them costs more than
          // it holds, in bytes and in names.
          groups: [
            {
              name: 'shared',
              test: /\/src\/(?:app\/context|contract\/permissions|kube\/age|registry\/(?:builtin|command|path|resource-key|tone|when)|web\/(?:app\/context|data\/(?:kind-names|live\/freshness|now|unknown-kind)|state\/state|workspace\/search))\.ts$/,
            },
          ],
        },
      },
    },
  },
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**', 'node_modules/**'],
    globalSetup: ['tests/server/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A condition that holds at once on a quiet machine takes longer on a busy one.
    expect: { poll: { timeout: 10_000, interval: 20 } },
  },
});
