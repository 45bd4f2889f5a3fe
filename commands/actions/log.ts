import { action } from '../../src/registry/commands/command.ts';
import type { FocusedLog, LogTurn } from '../../src/registry/commands/services.ts';

const onLog = (
  id: string,
  title: string,
  keys: string | readonly string[],
  run: (log: FocusedLog) => void,
  keywords: readonly string[] = [],
) =>
  action({
    id: `log.${id}`,
    title,
    group: 'Logs',
    keywords,
    when: { focus: 'log' },
    keys,
    run: (_, { view }) => {
      const log = view.log();
      if (log !== undefined) run(log);
    },
  });

const turn = (
  what: LogTurn,
  title: string,
  keys: string | readonly string[],
  keywords: readonly string[] = [],
) => onLog(what, title, keys, (log) => log.turn(what), keywords);

/** Scrolling, with the keys of pages and lists. Following leads to the end. */
const scrolls = [
  ['first', 'To the oldest line', ['g g', 'home'], Number.NEGATIVE_INFINITY],
  ['pageDown', 'Scroll the log down', 'pagedown', 1],
  ['pageUp', 'Scroll the log up', 'pageup', -1],
  ['halfDown', 'Half a page of log down', 'mod+d', 0.5],
  ['halfUp', 'Half a page of log up', 'mod+u', -0.5],
] as const;

/** Searching, following and displaying the focused log. */
export const logActions = [
  onLog('search', 'Search the log', '/', (log) => log.focusSearch(), ['search', 'find', 'grep', 'filter']),
  onLog('nextMatch', 'Next match', 'n', (log) => log.stepMatch(1)),
  onLog('previousMatch', 'Previous match', 'shift+n', (log) => log.stepMatch(-1)),
  onLog('follow', 'Follow the log', ['f', 'shift+g', 'end'], (log) => log.follow(), [
    'tail',
    'live',
    'stream',
    'end',
  ]),
  onLog('nextLine', 'Next line', 'j', (log) => log.moveLine(1)),
  onLog('previousLine', 'Previous line', 'k', (log) => log.moveLine(-1)),
  ...scrolls.map(([id, title, keys, by]) =>
    action({
      id: `log.${id}`,
      title,
      group: 'Logs',
      when: { focus: 'log' },
      keys,
      run: (_, { view }) => view.scroll(by),
    }),
  ),
  turn('pause', 'Pause or resume the log', 'space'),
  turn('only', 'Only matching lines', 'o', ['filter', 'grep']),
  turn('regex', 'Use regular expression', 'shift+e', ['regex', 'regexp']),
  turn('level', 'Next level of lines', 'v', ['errors', 'level', 'severity', 'warnings']),
  turn('container', 'Next container', 'i', ['container', 'sidecar']),
  turn('previous', 'The run before', 'p', [
    'previous',
    'previous run',
    'previous logs',
    'last crash',
    'crash',
    'before restart',
  ]),
  turn('since', 'Next time range', 'shift+t', ['since', 'range']),
  turn('tail', 'Next number of lines', 'shift+l'),
  turn('times', 'Next time format', 't', ['timestamps', 'timestamp', 'time', 'dates']),
  turn('wrap', 'Wrap lines', 'z'),
  turn('fields', 'Fields of JSON lines', 'shift+j'),
  turn('expand', 'Open the line', 'enter'),
  turn('copy', 'Copy what is shown', 'shift+c', ['copy', 'clipboard']),
  turn('download', 'Download the whole log', 'shift+w', ['download', 'save', 'export']),
];
