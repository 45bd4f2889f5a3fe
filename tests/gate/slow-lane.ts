import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { root } from './results.ts';
import { journeysInTurn } from './journeys-in-turn.ts';
import { longestFirst, readTimings } from './timings.ts';
import { thirdOf, turnOfRun } from './turn.ts';

/** Sources that a slow file proves, as paths below which a change always gives it its turn. */
type Sources = readonly string[];

const embedded: Sources = [
  'src/server/store/embedded',
  'src/server/store/lock.ts',
  'src/server/store/open.ts',
];

/**
 * Files that prove operation rather than code and take long: whole servers and databases start, are killed and hand over,
 * a page is built, other programs are run. A commit runs a third of them in the gate, which their names and the commit
 * choose, and all whose sources changed since the gate had passed; `npm run prove` and every run beside the gate run them all.
 */
export const slowFiles: Readonly<Record<string, Sources>> = {
  'tests/deploy/chart.test.ts': ['deploy'],
  'tests/playground/helm.test.ts': ['src/playground/api'],
  'tests/playground/kubectl.test.ts': ['src/playground/api'],
  'tests/playground/process.test.ts': ['src/playground/start.mjs', 'src/playground/main.ts'],
  'tests/server/audit/million.test.ts': ['src/server/audit'],
  'tests/server/audit/stream-kill.test.ts': ['src/server/audit'],
  'tests/server/boot/console-processes.test.ts': ['src/server/boot'],
  'tests/server/boot/page-build/page-build.test.ts': ['src/build', 'src/server/boot'],
  'tests/server/boot/start.test.ts': ['src/server/boot', 'src/server/start.mjs'],
  'tests/server/duties/absent-database.test.ts': ['src/server/duties'],
  'tests/server/duties/hand-over.test.ts': ['src/server/duties'],
  'tests/server/helm/real-helm.test.ts': ['src/server/helm'],
  'tests/server/live/chaos.test.ts': ['src/server/live'],
  'tests/server/store/authentication.test.ts': embedded,
  'tests/server/store/embedded.test.ts': embedded,
  'tests/server/store/kill.test.ts': embedded,
  'tests/server/store/transfer.test.ts': ['src/server/store/transfer', 'src/server/store/schema'],
  'tests/server/webhooks/kill.test.ts': ['src/server/webhooks', 'src/server/queue'],
};

/** Every file that has its turn, with the sources that it proves. */
export const filesInTurn: Readonly<Record<string, Sources>> = { ...slowFiles, ...journeysInTurn };

/** Whether a file in turn proves something that changed. */
export const provesChange = (file: string, changed: readonly string[]): boolean =>
  [file, ...(filesInTurn[file] ?? [])].some((source) =>
    changed.some((path) => path === source || path.startsWith(`${source}/`)),
  );

/**
 * Files that differ from what the gate had passed in whole before: the second newest commit that notes its figures, since
 * the newest may be of the changes that are to be proved. None where there is no such history, as in a checkout of one
 * commit.
 */
function changedFiles(): readonly string[] {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  };
  const git = (...args: readonly string[]) => execFileSync('git', args, options).trim().split('\n');
  try {
    const [, passed] = git('log', '-2', '--format=%H', '--', 'tests/gate/figures.json');
    return passed === undefined ? [] : git('diff', '--name-only', passed);
  } catch {
    return [];
  }
}

/** The files in turn that this run leaves to `npm run prove`. @param changed files that changed since the gate had passed */
export function filesLeftToProve(changed: () => readonly string[] = changedFiles): readonly string[] {
  const turn = turnOfRun();
  if (turn === undefined) return [];
  const paths = changed();
  const timings = readTimings();
  // In the order of their times, so that each third takes about as long as the others.
  const due = new Set(
    [slowFiles, journeysInTurn].flatMap((files) =>
      thirdOf(
        longestFirst(Object.keys(files), (file) => file, timings),
        turn,
      ),
    ),
  );
  return Object.keys(filesInTurn).filter((file) => !due.has(file) && !provesChange(file, paths));
}
