import { action } from '../../src/registry/command.ts';
import type { FocusedLog } from '../../src/registry/services.ts';

const onLog = (id: string, title: string, keys: string, run: (log: FocusedLog) => void) =>
  action({
    id: `log.${id}`,
    title,
    group: 'Logs',
    when: { focus: 'log' },
    keys,
    run: (_, { view }) => {
      const log = view.log();
      if (log !== undefined) run(log);
    },
  });

/** Searching and following the focused log. */
export const logActions = [
  onLog('search', 'Search the log', '/', (log) => log.focusSearch()),
  onLog('nextMatch', 'Next match', 'n', (log) => log.stepMatch(1)),
  onLog('previousMatch', 'Previous match', 'shift+n', (log) => log.stepMatch(-1)),
  onLog('follow', 'Follow the log', 'f', (log) => log.follow()),
];
