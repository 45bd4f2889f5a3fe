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
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    const { version: found, kinds } = value as Record<string, unknown>;
    if (found !== version || typeof kinds !== 'object' || kinds === null) return {};
    return Object.fromEntries(
      Object.entries(kinds).flatMap(([kind, one]) => {
        const choice = readChoice(one);
        return choice === undefined ? [] : [[kind, choice]];
      }),
    );
  } catch {
    return {};
  }
}

/** The choices as text to store. */
export function storeColumns(kinds: ColumnChoices): string {
  return JSON.stringify({ version, kinds });
}

/** The choice with one column turned: shown where it was hidden. Names can not be hidden. */
export function turnColumn(choice: ColumnChoice, id: string, isShown: boolean): ColumnChoice {
  return { ...choice, columns: { ...choice.columns, [id]: !isShown } };
}
