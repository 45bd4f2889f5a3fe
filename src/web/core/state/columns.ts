import { columnsKey } from './columns-key.ts';
import { type Keeper, persisted } from './persisted.ts';
import type { Cell } from './state.ts';
import { membersOf, parseStored } from './stored.ts';

/** Which columns of a kind's list somebody wants to see. */
export interface ColumnChoice {
  /** The wide table. */
  readonly isWide: boolean;
  /** Columns shown or hidden one by one, by id; the others as the table says. */
  readonly columns: Readonly<Record<string, boolean>>;
}

/** The choices of this browser, by kind id. */
export type ColumnChoices = Readonly<Record<string, ColumnChoice>>;

export const noChoice: ColumnChoice = { isWide: false, columns: {} };
export const wideChoice: ColumnChoice = { isWide: true, columns: {} };
const version = 1;

function readChoice(value: unknown): ColumnChoice | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { isWide, columns } = value as Record<string, unknown>;
  if (typeof columns !== 'object' || columns === null) return undefined;
  const known = Object.entries(columns).filter(
    (one): one is [string, boolean] => typeof one[1] === 'boolean',
  );
  return { isWide: isWide === true, columns: Object.fromEntries(known) };
}

/** The stored choices; whatever does not read as one is dropped. */
export function readColumns(text: string | null): ColumnChoices {
  const { kinds } = membersOf(parseStored(text), version);
  if (typeof kinds !== 'object' || kinds === null) return {};
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, one]) => {
      const choice = readChoice(one);
      return choice === undefined ? [] : [[kind, choice]];
    }),
  );
}

/** The choices as text to store. */
export function storeColumns(kinds: ColumnChoices): string {
  return JSON.stringify({ version, kinds });
}

/** The columns that are wanted of each kind's list, kept in this browser for all its pages. */
export const createColumnChoices = (keeper: Keeper): Cell<ColumnChoices> =>
  persisted({ key: columnsKey, read: readColumns, write: storeColumns }, keeper);

/** The choice with one column turned: shown where it was hidden. Names can not be hidden. */
export function turnColumn(choice: ColumnChoice, id: string, isShown: boolean): ColumnChoice {
  return { ...choice, columns: { ...choice.columns, [id]: !isShown } };
}
