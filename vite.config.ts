import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { callsMustBeCurrent } from './src/build/calls.ts';
import { firstCommandsMustBeCurrent } from './src/build/first-commands.ts';
import { pageWeights, pageWithin } from './src/build/first-list-budget.ts';
import { firstListsInPage } from './src/build/first-lists.ts';
import { firstChunks, neededBeside, loadFirstChunks } from './src/build/first-chunks.ts';
import { firstStyles } from './src/build/first-styles.ts';
import { iconSprite } from './src/build/icon-sprite.ts';
import { factsMustBeCurrent } from './src/build/kind-facts.ts';
import { monacoUnderPolicy } from './src/build/monaco-policy.ts';

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
    firstStyles(),
    pageWithin(pageWeights),
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
    // Built beside their chunks, which do not name them: the server answers none (src/server/http/page.ts).
    sourcemap: 'hidden',
    rolldownOptions: {
      output: { codeSplitting: { groups: firstChunks } },
      // The first start of the console prints the build's output: hints about the bundler's speed do not belong there.
      checks: { bundlerTimings: false },
    },
    // The editor's chunk is large and loads with the first text that is edited; `pageWithin` checks the rest.
    chunkSizeWarningLimit: 4000,
    // Every browser this builds for supports module preloads.
    modulePreload: { polyfill: false, resolveDependencies: neededBeside },
    // Fonts and images stay files: the content security policy takes no font from a data: address.
    assetsInlineLimit: 0,
  },
});
