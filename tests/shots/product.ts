// The product as `npm start` runs it, in the pictures' time: see instant.ts.
import '../../src/server/quick-start.mjs';
import { instant, stillPlayground } from './instant.ts';

const realNow = Date.now;
const startedAt = realNow();
// Deadlines and pauses need a clock that goes on, so it does, from the instant; the page shows no time after it.
Date.now = () => Date.parse(instant) + realNow() - startedAt;

const { systemClock } = await import('../../src/server/kit/clock.ts');
const { readConfig } = await import('../../src/server/kit/config.ts');
const { openConsole } = await import('../../src/server/boot/console.ts');
const { ensurePage } = await import('../../src/server/boot/page-build.ts');

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
const { config, problems } = readConfig(process.env, []);
if (config === null) throw new Error(problems.join('\n'));
// Sessions are compared with the database's clock, which is the machine's.
const sessionClock = { ...systemClock, now: realNow };
const opened = await openConsole(config, {
  ...(await ensurePage(say)),
  playgroundArguments: stillPlayground,
  sessionClock,
});
say(`Wheelhouse is at ${opened.url}`);
const { embedded } = opened.store;
if (embedded?.isMoved === true)
  say(`The database's files are in ${embedded.files}: this user may not run it.`);
if (opened.firstStart.kind === 'link') say(opened.firstStart.url);
process.once('SIGTERM', () => void opened.close().then(() => process.exit(0)));
