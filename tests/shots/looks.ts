import { resolve } from 'node:path';

/** Where the pictures go: `shots` in the project, or a folder beside it to compare with. */
export const folder = resolve(import.meta.dirname, '../..', process.env['SHOTS_FOLDER'] ?? 'shots');
/** `SHOTS_AXE=off`: pictures only, which takes half the time. */
export const hasAxe = process.env['SHOTS_AXE'] !== 'off';

/** The windows of every screen. */
export const usual = [
  { suffix: '', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { suffix: '-narrow', viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
];
/** What else the screens are looked at in that show much at once; the last is 1440x900 at 200 % zoom. */
export const between = [
  { suffix: '-1024', viewport: { width: 1024, height: 768 }, deviceScaleFactor: 1 },
  { suffix: '-768', viewport: { width: 768, height: 1024 }, deviceScaleFactor: 1 },
  { suffix: '-zoomed', viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
];
export const looks = [
  { look: 'light', colorScheme: 'light', forcedColors: 'none', contrast: 'no-preference' },
  { look: 'dark', colorScheme: 'dark', forcedColors: 'none', contrast: 'no-preference' },
  { look: 'forced', colorScheme: 'dark', forcedColors: 'active', contrast: 'more' },
] as const;
