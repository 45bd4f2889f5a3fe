import { missingSteps } from '../../../registry/palette/steps.ts';
import { readPaletteInput } from '../../../registry/palette/query.ts';
import type { Entry } from './entries.ts';
import type { Frame } from './frames.ts';

/** Letters from which on a text may name something that changes. */
const minLetters = 4;

/** Whether an entry changes something on a cluster or in the organisation, if only after a confirmation. */
export const changesSomething = ({ act }: Pick<Entry, 'act'>): boolean =>
  act.type === 'command' && act.command.type === 'action' && act.command.changes === true;

/** Whether Enter on an entry does something at once, and does not only open a page or ask for more. */
export const runsAtOnce = ({ act }: Pick<Entry, 'act'>): boolean =>
  act.type === 'command' && act.command.type === 'action' && missingSteps(act.command, act).length === 0;

/** Arguments that are chosenTypes from entries. */
const chosenTypes: ReadonlySet<string> = new Set(['choice', 'person', 'invitation', 'team']);

/** Whether an answer in a level runs what changes something, without another question; what is dangerous asks another. */
export function answerChanges(frame: Frame): boolean {
  if (frame.type !== 'step') return false;
  const { command } = frame.pending;
  if (command.type !== 'action' || command.changes !== true || command.actsOn !== undefined) return false;
  if (command.dangerous === true) return false;
  const [step, ...others] = missingSteps(command, frame.pending);
  return others.length === 0 && step?.type === 'arg' && chosenTypes.has(step.arg.type);
}

/**
 * The answer that is highlighted in a level whose answer changes something: only one whose whole title is typed. The key
 * that opened the level may have been a letter of a word that was meant for something else, and so may those after it.
 */
export const preselectedAnswer = (
  entries: readonly Entry[],
  { text }: Pick<Frame, 'text'>,
): Entry | undefined =>
  entries.find(
    ({ title, reason }) => reason === undefined && title.toLowerCase() === text.trim().toLowerCase(),
  );

/** The number of letters that are typed in a level, without the character that begins a mode. */
export function lettersIn({ type, text }: Pick<Frame, 'type' | 'text'>): number {
  const typed = type === 'root' ? readPaletteInput(text).text : text;
  return typed.replaceAll(/\s/g, '').length;
}

/** What the highlighted entry of a list is decided by. */
export interface PreselectMoment {
  /** Number of letters typed. */
  readonly letters: number;
  /** Objects are still awaited. */
  readonly isPending: boolean;
  /** The text names an act that changes something, and its objects are still awaited. */
  readonly isActAwaited?: boolean | undefined;
  /** Id of the entry that was highlighted for the same text before, if one was. */
  readonly before: string | undefined;
}

/**
 * The entry that is highlighted while nobody moved to another: the first that can be taken now. What changes something is
 * only highlighted where at least four letters name it in full and no objects are awaited, and never takes the place of
 * another entry that was highlighted for the same text. Undefined where nothing is highlighted.
 */
export function preselected(
  entries: readonly Entry[],
  { letters, isPending, isActAwaited = false, before }: PreselectMoment,
): Entry | undefined {
  const possible = entries.filter(({ reason }) => reason === undefined);
  const [best] = possible;
  if (best === undefined) return entries[0];
  const isNamed = (entry: Entry) => letters >= minLetters && entry.isNamed === true;
  // What is named is about to be highlighted: nothing else takes its place for a moment.
  if (isActAwaited || (isPending && changesSomething(best) && isNamed(best))) return undefined;
  const harmless = possible.filter((entry) => !changesSomething(entry));
  const found = possible.find((entry) => !changesSomething(entry) || (!isPending && isNamed(entry)));
  if (found === undefined || !changesSomething(found) || before === undefined || before === found.id)
    return found;
  return harmless.find(({ id }) => id === before) ?? harmless[0];
}

/** Why Enter has done nothing, and what to do. */
export function whyNotRun(entry: Entry, why: 'changes' | 'awaited' | 'unseen'): string {
  const name = `“${entry.title.replace(/…$/, '')}${entry.note === undefined || !changesSomething(entry) ? '' : ` ${entry.note}`}”`;
  switch (why) {
    case 'awaited':
      return `Nothing was run: objects are still being looked for. Press Enter again once they are there, or move to ${name} with the arrow keys.`;
    case 'unseen':
      return `Nothing was run: ${name} was not in the list yet when Enter was pressed. Press Enter again to run it.`;
    case 'changes':
      return `Nothing was run: ${name} changes something. Move to it with the arrow keys and press Enter, or type its whole name.`;
    default:
      return why satisfies never;
  }
}
