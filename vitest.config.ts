import { defineConfig, mergeConfig } from 'vitest/config';
import { FilesByTime } from './tests/gate/files-by-time.ts';
import { filesLeftToProve } from './tests/gate/slow-lane.ts';
import { UnitReporter } from './tests/gate/unit-reporter.ts';
import page from './vite.config.ts';

/** Tests that start no server with a database (conformance of the kinds does), and leave nothing behind in their process. */
const plainTests = [
  'contract',
  'deploy',
  'diagnosis',
  'gate',
  'kinds',
  'kube',
  'registry',
  'soak',
  'web',
  'workspace',
].map((folder) => `tests/${folder}/**/!(conformance).test.ts`);

/** Tests of the playground alone: they need no database. */
const playgroundTests = ['tests/playground/**/*.test.ts'];

/** Tests that change a package before the server takes anything from it: no other file may run before in their process. */
const ownProcessTests = ['tests/server/access/same-work.test.ts'];

/** What src/server/quick-start.mjs does for the server's start, for each process that runs tests. */
const quickStart = new URL('./src/server/quick-start.mjs', import.meta.url).href;

/**
 * The files of a project share few processes (`isolate: false`): one that is new for each file reads all modules of the
 * server anew, and runs them before they are compiled well. What a file changes in its process it puts back.
 *
 * Node itself reads the modules of the server and of the playground in their tests, as it does in the product: with the
 * compile cache, that takes a third of the time of going through the page's build. `vi.mock` does not work there.
 */
const asInProduct = { viteModuleRunner: false, nodeLoader: false };

/** Files wait for processes and timers half of their time: four at once fill two cores. */
const workers = 4;

export default mergeConfig(
  page,
  defineConfig({
    test: {
      pool: 'forks',
      maxWorkers: workers,
      reporters: ['default', new UnitReporter(workers)],
      sequence: { sequencer: FilesByTime },
      execArgv: ['--import', quickStart],
      projects: [
        {
          extends: true,
          // Plain functions: many files in one process, since reading all modules anew takes longer than the tests.
          test: { name: 'plain', include: plainTests, exclude: [...filesLeftToProve()], isolate: false },
        },
        {
          extends: true,
          // Starts playgrounds, and nothing of the console.
          test: {
            name: 'playground',
            include: playgroundTests,
            exclude: [...filesLeftToProve()],
            globalSetup: ['tests/compiled-modules.ts'],
            isolate: false,
            experimental: asInProduct,
          },
        },
        {
          extends: true,
          test: {
            name: 'running',
            include: ['tests/**/*.test.ts'],
            exclude: [
              ...plainTests,
              ...playgroundTests,
              ...ownProcessTests,
              ...filesLeftToProve(),
              'tests/e2e/**',
            ],
            globalSetup: ['tests/compiled-modules.ts', 'tests/server/global-setup.ts'],
            isolate: false,
            experimental: asInProduct,
          },
        },
        {
          extends: true,
          test: {
            name: 'own process',
            include: ownProcessTests,
            globalSetup: ['tests/compiled-modules.ts', 'tests/server/global-setup.ts'],
            experimental: asInProduct,
          },
        },
      ],
      // Ten seconds on a quiet machine are minutes on one with ten times as much to do.
      // CI alone tries a test once more, and lists it as flaky at the gate's end.
      retry: process.env['CI'] === undefined ? 0 : 1,
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 30_000, interval: 20 } },
    },
  }),
);
