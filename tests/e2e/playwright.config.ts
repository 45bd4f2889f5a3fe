import { defineConfig } from 'playwright/test';
import { ensureChromium } from './chromium.ts';

// A root container has no user namespaces for the sandbox; the flags keep the browser from calling home.
const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

export default defineConfig({
  testDir: '.',
  globalSetup: './build-page.ts',
  outputDir: '../../test-results',
  // What a screen reader is told: one text for every machine.
  snapshotPathTemplate: '{testDir}/heard/{arg}{ext}',
  fullyParallel: false,
  // Files wait more than they work: two at a time fit two cores.
  workers: 2,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // A busy machine is no failure; what hangs is found by the limit of each step.
  timeout: 150_000,
  expect: { timeout: 10_000 },
  reporter: process.env['CI'] === undefined ? 'list' : 'line',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    // What was done and sent, without films and copies of the page: those take more time than the tests. `--trace on` has all.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: ensureChromium(), args },
  },
});
