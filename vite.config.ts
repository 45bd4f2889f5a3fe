import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { callsMustBeCurrent } from './src/build/calls.ts';
import { firstCommandsMustBeCurrent } from './src/build/first-commands.ts';
import { firstListBudget, firstListWithin } from './src/build/first-list-budget.ts';
import { firstListsInPage } from './src/build/first-lists.ts';
import { firstChunks, loadFirstChunks } from './src/build/first-chunks.ts';
import { iconSprite } from './src/build/icon-sprite.ts';
import { factsMustBeCurrent } from './src/build/kind-facts.ts';
import { monacoUnderPolicy } from './src/build/monaco-policy.ts';

/** Tests that start no server with a database (conformance of the kinds does), and leave nothing behind in their process. */
const plainTests = ['contract', 'kinds', 'kube', 'registry', 'web', 'workspace'].map(
  (folder) => `tests/${folder}/**/!(conformance).test.ts`,
);

/** Tests of the playground alone: they need no database. */
const playgroundTests = ['tests/playground/**/*.test.ts'];

/** What src/server/quick-start.mjs does for the server's start, for each process that runs tests. */
const quickStart = new URL('./src/server/quick-start.mjs', import.meta.url).href;

/**
 * Node itself reads the modules of the server and of the playground in their tests, as it does in the product: with the
 * compile cache, that takes a third of the time of going through the page's build. `vi.mock` does not work there.
 */
const asInProduct = { viteModuleRunner: false, nodeLoader: false };

export default defineConfig({
  // Each of our own has its reason beside it in src/build/. None of them swaps a module of ours for another one.
  plugins: [
    callsMustBeCurrent(),
    factsMustBeCurrent(),
    firstCommandsMustBeCurrent(),
    iconSprite(),
    monacoUnderPolicy(),
    react(),
    tailwindcss(),
    loadFirstChunks(),
    firstListsInPage(),
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
      // The first start of the console prints the build's output: hints about the bundler's speed do not belong there.
      checks: { bundlerTimings: false },
    },
    // The editor's chunk is large and loads with the first text that is edited; `firstListWithin` checks the rest.
    chunkSizeWarningLimit: 4000,
    // Every browser this builds for supports module preloads.
    modulePreload: { polyfill: false },
    // Fonts and images stay files: the content security policy takes no font from a data: address.
    assetsInlineLimit: 0,
  },
  test: {
    pool: 'forks',
    // Files wait for processes and timers half of their time: three at once fill two cores.
    maxWorkers: 3,
    execArgv: ['--import', quickStart],
    projects: [
      {
        extends: true,
        // Plain functions: many files in one process, since reading all modules anew takes longer than the tests.
        test: { name: 'plain', include: plainTests, isolate: false },
      },
      {
        extends: true,
        // Starts playgrounds, and nothing of the console.
        test: { name: 'playground', include: playgroundTests, experimental: asInProduct },
      },
      {
        extends: true,
        test: {
          name: 'running',
          include: ['tests/**/*.test.ts'],
          exclude: [...plainTests, ...playgroundTests, 'tests/e2e/**'],
          globalSetup: ['tests/server/global-setup.ts'],
          experimental: asInProduct,
        },
      },
    ],
    // What takes a second on a quiet machine may take half a minute on one with ten times as much to do.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
