import { defineConfig } from 'playwright/test';
import { ensureTestBrowser } from './chromium.ts';

// A root container has no user namespaces for the sandbox; the flags keep the browser from calling home.
const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

const isCi = process.env['CI'] !== undefined;

/** Files that take a minute or more begin first: one that begins last would be waited for alone. */
const longFiles = new RegExp(
  `/(?:${[
    'access',
    'clusters',
    'dashboard',
    'founding',
    'keys',
    'kinds',
    'lists',
    'organisation',
    'permissions',
    'pods-list',
    'shell',
    'shell-rules',
    'sign-in',
    'unfriendly',
    'workspace',
  ].join('|')})\\.spec\\.ts$`,
);

export default defineConfig({
  testDir: '.',
  globalSetup: './global-setup.ts',
  outputDir: '../../test-results',
  // What a screen reader is told: one text for every machine.
  snapshotPathTemplate: '{testDir}/heard/{arg}{ext}',
  projects: [
    { name: 'long', testMatch: longFiles },
    { name: 'short', testIgnore: longFiles },
  ],
  fullyParallel: false,
  // Files wait part of their time: three at once fill two cores.
  workers: 3,
  // A test that fails on a busy machine is tried once more where nobody can run it by hand; the report names it as flaky.
  retries: isCi ? 1 : 0,
  forbidOnly: isCi,
  // A busy machine is no failure: what takes a second on a quiet one may take half a minute with ten times as much to do.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: isCi ? 'line' : 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // What was done and sent, without films and copies of the page: those take more time than the tests. `--trace on` has all.
    trace: {
      mode: isCi ? 'on-first-retry' : 'retain-on-failure',
      screenshots: false,
      snapshots: false,
      sources: false,
    },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: ensureTestBrowser(), args },
  },
});
