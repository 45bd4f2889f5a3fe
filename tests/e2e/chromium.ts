import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright';

const wellKnown = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Debian's Chromium without a browser's frame: the same engine, in a third less of the processor's time. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** The browser to test with: CHROMIUM_PATH, Playwright's own, or one the machine has. Undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  return [...(named === undefined ? [] : [named]), chromium.executablePath(), ...wellKnown].find((path) =>
    existsSync(path),
  );
}

function attempt(command: string, args: readonly string[], timeout: number): string | undefined {
  const run = spawnSync(command, args, { stdio: 'pipe', encoding: 'utf8', timeout });
  if (run.status === 0) return undefined;
  return (run.stderr || run.stdout || run.error?.message || `exit ${run.status}`)
    .trim()
    .split('\n')
    .slice(-1)[0];
}

/** Installs a package of Debian; gives why it could not. */
function installPackage(name: string, timeout: number): string | undefined {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args: string[]) => {
    const [command = 'apt-get', ...rest] = [...asRoot, 'apt-get', ...args];
    return attempt(command, rest, timeout);
  };
  return apt('update', '-qq') ?? apt('install', '-y', '-qq', '--no-install-recommends', name);
}

/**
 * The browser of the end-to-end tests: the headless shell where it is there or can be had, else as `ensureChromium`. A
 * machine that somebody works at keeps the browser that it has; CI gets the shell. For the processes that this one starts,
 * CHROMIUM_PATH names it from then on.
 */
export function ensureTestBrowser(): string {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && existsSync(named)) return named;
  const mayInstall = process.env['CI'] !== undefined || findChromium() === undefined;
  if (!existsSync(headlessShell) && mayInstall) installPackage('chromium-headless-shell', 120_000);
  const found = existsSync(headlessShell) ? headlessShell : ensureChromium();
  process.env['CHROMIUM_PATH'] = found;
  return found;
}

/**
 * Finds a Chromium or installs one: Playwright's own build first, Debian's package where that download is not to be had.
 * Throws with what was tried.
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');
  const own = attempt(process.execPath, [cli, 'install', 'chromium'], 300_000);
  const afterOwn = findChromium();
  if (afterOwn !== undefined) return afterOwn;
  const debian = installPackage('chromium', 600_000);
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Error(
    `The end-to-end tests need Chromium and none could be installed. Install one and name it in CHROMIUM_PATH. ` +
      `Playwright's own: ${own ?? 'not found after its installation'}. Debian's package: ${debian ?? 'not found after its installation'}.`,
  );
}

/** Version line of a browser, for the report. */
export function chromiumVersion(path: string): string {
  return execFileSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8' }).trim();
}
