import type { LogLevel } from './level.ts';

// Constant strings: a log draws hundreds of lines while it scrolls. `group/log` is the frame around the lines; it says
// by `data-wrapped` and `data-columns` how they are written.

const line = 'flex gap-x-3 border-l-3 pr-3 pl-2.25';
// Narrow and without columns: when and whose above, what it says below with the whole width.
const stacks = 'narrow:group-data-wrapped/log:group-not-data-columns/log:flex-wrap';
const current = 'outline-2 -outline-offset-2 outline-focus';

type Looks = Readonly<Record<LogLevel | 'none', string>>;
const quietLine = `${line} ${stacks} border-l-transparent`;
const warnLine = `${line} ${stacks} border-l-warn`;
const errorLine = `${line} ${stacks} border-l-bad bg-bad-bg`;
const currentQuietLine = `${quietLine} ${current}`;

/** A line by how loud it is. */
export const lineLooks: Looks = {
  none: quietLine,
  debug: quietLine,
  info: quietLine,
  warn: warnLine,
  error: errorLine,
};
/** The same for the line that was gone to. */
export const currentLooks: Looks = {
  none: currentQuietLine,
  debug: currentQuietLine,
  info: currentQuietLine,
  warn: `${warnLine} ${current}`,
  error: `${errorLine} ${current}`,
};

/** Messages of the console between the lines. */
export const markLook = `${line} border-l-transparent bg-raised text-text-2 italic`;
/** The names above the columns. */
export const headLook = `${line} border-l-transparent whitespace-nowrap`;

export const timeLook = 'w-(--log-time) flex-none text-text-3';
export const headTimeLook = 'w-(--log-time) flex-none';

const source =
  'box-content w-(--log-source) flex-none overflow-hidden border-l-3 pl-2 whitespace-nowrap text-text-2 narrow:max-w-[12ch]';
/** Whose line it is, by the number of its colour, which begins at 1. */
export const sourceLooks: readonly string[] = [
  source,
  `${source} border-l-chart-1`,
  `${source} border-l-chart-2`,
  `${source} border-l-chart-3`,
  `${source} border-l-chart-4`,
  `${source} border-l-chart-5`,
  `${source} border-l-chart-6`,
];
export const headSourceLook = `${source} border-l-transparent`;

const level = 'h-lh w-9.5 flex-none items-center justify-end gap-1 self-start';
const narrowLevel = 'narrow:group-not-data-columns/log:w-auto';
const quietLevel = `flex ${level} text-text-3 narrow:group-not-data-columns/log:hidden`;
/** The level's column: narrow and without columns it shows only what is loud. */
export const levelLooks: Looks = {
  none: quietLevel,
  debug: quietLevel,
  info: quietLevel,
  warn: `flex ${level} ${narrowLevel} font-semibold text-warn-fg`,
  error: `flex ${level} ${narrowLevel} font-semibold text-bad-fg`,
};

/** The button that opens the fields, and its room above the columns. */
export const openLook =
  'grid size-4.5 flex-none place-items-center self-start rounded-[3px] -mr-2 -ml-1.5 text-text-3 hover:bg-fill';

export const cellLook = 'relative flex-none overflow-hidden text-ellipsis whitespace-pre';

// Beside columns a message keeps room for words: the log scrolls sideways before it is broken letter by letter.
const besideColumns = 'group-data-columns/log:min-w-64 group-data-columns/log:flex-[1_0_16rem]';
/** The text of a console message. */
export const markTextLook = `whitespace-pre group-not-data-columns/log:min-w-0 group-data-wrapped/log:wrap-anywhere group-data-wrapped/log:whitespace-pre-wrap ${besideColumns}`;
/** The text of a line. */
export const textLook = `${markTextLook} narrow:group-data-wrapped/log:group-not-data-columns/log:basis-full`;
export const headTextLook = 'min-w-64 flex-[1_0_16rem] whitespace-pre';
