import { readdirSync } from 'node:fs';
import { defineConfig } from 'playwright/test';
import { filesLeftToProve } from '../gate/slow-lane.ts';
import { readTimings } from '../gate/timings.ts';
import { isFull } from '../prove.ts';
import { ensureTestBrowser } from './chromium.ts';
import type { Options } from './kit.ts';

// A root container has no user namespaces for the sandbox; the flags keep the browser from calling home.
const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  // A page lives for seconds in a journey: compiling its functions well takes longer than they run, and four threads that
  // collect its garbage take longer than one. Without both a journey takes a quarter less of the processor's time. Words are
  // typed in full on one page for an hour.
  `--js-flags=${isFull ? '' : '--no-maglev --no-turbofan '}--single-threaded-gc --min-semi-space-size=16`,
];

const isCi = process.env['CI'] !== undefined;

/**
 * Seconds from which a file belongs to each project: the projects begin one after the other, and a long file that begins
 * last would be waited for alone. Only two, since each has workers and browsers of its own.
 */
const lengths = [100, 0] as const;

const timings = readTimings();
const left = new Set(filesLeftToProve());
const files = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.spec.ts') && !left.has(`tests/e2e/${name}`),
);
/** A new file may be long as well. */
const secondsOf = (name: string): number => timings[`tests/e2e/${name}`] ?? lengths[0];
const projects = lengths.map((from, index) => {
  const until = lengths[index - 1] ?? Number.POSITIVE_INFINITY;
  const members = files.filter((name) => secondsOf(name) >= from && secondsOf(name) < until);
  return { name: `from ${from} s`, testMatch: members.map((name) => `**/${name}`) };
});

export default defineConfig<Options>({
  testDir: '.',
  globalSetup: './global-setup.ts',
  outputDir: '../../test-results',
  // What a screen reader is told: one text for every machine.
  snapshotPathTemplate: '{testDir}/heard/{arg}{ext}',
  projects,
  fullyParallel: false,
  // Files wait part of their time: three at once fill two cores.
  workers: 3,
  // A test that fails on a busy machine is a fault of the test or of the product. In CI one more try tells it from a test
  // that always fails: it is listed as flaky, and `npm run flaky` finds its fault.
  retries: isCi ? 1 : 0,
  forbidOnly: isCi,
  // A busy machine is no failure: what takes a second on a quiet one may take half a minute with ten times as much to do.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [[isCi ? 'line' : 'list'], ['../gate/journey-reporter.ts']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // A record of each test takes more time than the test needs; `npm run flaky` and `--trace on` make one.
    trace: 'off',
    screenshot: 'off',
    isPainted: false,
    launchOptions: { executablePath: ensureTestBrowser(), args },
  },
});
