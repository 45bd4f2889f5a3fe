import { readConfig } from '../kit/config.ts';
import { closeLimit } from './close-limit.ts';
import { type OpenConsole, openConsole } from './console.ts';
import { describeError } from '../kit/describe-error.ts';
import { devBuild } from './dev-server.ts';
import { backUpHint } from './first-start.ts';
import { ensurePage } from './page-build.ts';
import { nodeWarning } from '../kit/node-versions.ts';
import { StartError } from '../kit/start-error.ts';
import { limitCiphers } from '../kit/tls-ciphers.ts';

/** Within this time (ms) a second signal is the first one's echo: Ctrl-C reaches us from the terminal and through npm. */
const echoTime = 1_000;

/**
 * The program: builds the page where needed, opens the console, says where it is, and ends in order on SIGTERM and
 * SIGINT. What keeps it from starting is printed in sentences, and the exit code is 1.
 */
export async function main(mode: 'start' | 'dev' | 'build', argv: readonly string[]): Promise<void> {
  const warning = nodeWarning(process.versions.node, new Date().toISOString().slice(0, 10));
  if (warning !== undefined) console.warn(warning);
  limitCiphers();
  try {
    if (mode === 'build') {
      const { build, pageDir } = await ensurePage(say);
      say(`The page is built: ${build} in ${pageDir}`);
      return;
    }
    const { config, problems, warnings } = readConfig(process.env, argv);
    for (const sentence of warnings) console.warn(sentence);
    if (config === null) throw new StartError(problems);
    const page = mode === 'dev' ? { build: devBuild, pageDir: null } : await ensurePage(say);
    // The reader of our output may have gone; the server continues.
    process.stdout.on('error', () => undefined);
    const starting: Promise<OpenConsole> = openConsole(config, {
      ...page,
      isDevelopment: mode === 'dev',
      onUnfit: (error) => void stopFor(error.sentences, starting),
    });
    closeOnSignals(starting);
    closeOnCrash(starting);
    const opened = await starting;
    announce(opened);
  } catch (error) {
    fail(error);
  }
}

function announce(opened: OpenConsole): void {
  const { url, address, firstStart, services, store } = opened;
  say(`Wheelhouse is at ${url}${url === address ? '' : ` (listening on ${address})`}`);
  if (store.embedded?.isMoved === true)
    say(
      `The database's files are in ${store.embedded.files}: as root, the database runs as another user, which cannot access ${services.config.dataDir}.`,
    );
  if (firstStart.kind === 'none') return;
  for (const sentence of backUpHint(services.config, store)) say(sentence);
  if (firstStart.kind === 'created')
    say(`The Owner ${firstStart.email} was created. Sign in with the password given.`);
  else {
    // Last: what is above it scrolls away.
    say('');
    say('To set up Wheelhouse, open this link. It makes you the Owner, works once, and expires in 24 hours:');
    say('');
    say(`  ${firstStart.url}`);
    say('');
  }
}

/** The first signal ends the console in order; a later one, or 10 s, ends the process. */
function closeOnSignals(starting: Promise<OpenConsole>): void {
  let first: number | null = null;
  const close = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (first !== null) {
      if (now - first > echoTime) process.exit(signal === 'SIGINT' ? 130 : 143);
      return;
    }
    first = now;
    setTimeout(() => {
      console.error('Shutdown took too long; the remaining connections are closed.');
      process.exit(1);
    }, closeLimit).unref();
    starting
      .then((opened) => opened.close())
      .then(
        () => process.exit(0),
        // The failed start has printed its reason already.
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
}

/** After an uncaught error the console closes in order and exits 1, so that its supervisor starts it again. */
function closeOnCrash(starting: Promise<OpenConsole>): void {
  const crash = (thrown: unknown): Promise<void> =>
    stopFor(
      [`The server stops because of an unexpected error: ${JSON.stringify(describeError(thrown))}`],
      starting,
    );
  process.once('uncaughtException', (thrown) => void crash(thrown));
  process.once('unhandledRejection', (thrown) => void crash(thrown));
}

/** Closes in order for a reason, and exits 1. */
async function stopFor(reason: readonly string[], starting: Promise<OpenConsole>): Promise<void> {
  for (const sentence of reason) console.error(sentence);
  setTimeout(() => process.exit(1), closeLimit).unref();
  try {
    const opened = await starting;
    await opened.close();
  } finally {
    process.exit(1);
  }
}

function fail(error: unknown): never {
  if (error instanceof StartError) for (const sentence of error.sentences) console.error(sentence);
  // By allow-list: errors of the database quote values.
  else
    console.error(
      'Wheelhouse could not start because of an unexpected error:',
      JSON.stringify(describeError(error)),
    );
  process.exit(1);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
