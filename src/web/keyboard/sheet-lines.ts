import { type Command, plainTitle } from '../../registry/commands/command.ts';
import { numberedNamespaces } from '../../registry/commands/numbered-namespaces.ts';

/** A command in the sheet of keys. */
export interface SheetLine {
  readonly command: Command;
  readonly title: string;
  readonly keys: readonly string[];
  /** The keys are the first and the last of a row of keys. */
  readonly isRange: boolean;
  /** Some of the keys are the person's own. */
  readonly isOwn: boolean;
}

/** The line of a command with its keys. */
export function sheetLine(command: Command, keys: readonly string[], isOwn: boolean): SheetLine {
  return { command, title: plainTitle(command), keys, isRange: false, isOwn };
}

/** The lines with those last that destroy something: what somebody reads first is what they try first. */
export function harshLast(lines: readonly SheetLine[]): readonly SheetLine[] {
  const isHarsh = ({ command }: SheetLine) => command.type === 'action' && command.dangerous === true;
  return [...lines.filter((line) => !isHarsh(line)), ...lines.filter(isHarsh)];
}

/** One line for the namespaces by number, in place of nine that say the same; a number with other keys keeps its own. */
export function foldNumbered(lines: readonly SheetLine[]): readonly SheetLine[] {
  const numbered = lines.filter(
    ({ command, keys, isOwn }) => numberedNamespaces.includes(command.id) && keys.length === 1 && !isOwn,
  );
  const [first, last] = [numbered[0], numbered.at(-1)];
  if (first === undefined || last === undefined || numbered.length < numberedNamespaces.length) return lines;
  const folded: SheetLine = {
    ...first,
    title: `Show namespace 1 to ${numberedNamespaces.length}`,
    keys: [...first.keys, ...last.keys],
    isRange: true,
  };
  return lines.flatMap((line) => (line === first ? [folded] : numbered.includes(line) ? [] : [line]));
}
