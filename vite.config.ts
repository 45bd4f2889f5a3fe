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

export default defineConfig({
  plugins: [contractWithoutSchemas(), react(), tailwindcss(), precompress()],
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
  },
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**', 'node_modules/**'],
    globalSetup: ['tests/server/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
