/** One line of separated values, with the spaces around each left out; a quoted value may have breaks of lines. */
export interface TextRecord {
  /** The line that it begins in, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The separator of the values of a text: by its first line, a tab, a comma or a semicolon. */
export function delimiterOf(text: string): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  return ['\t', ',', ';'].find((one) => first.includes(one)) ?? ',';
}

/** The records of separated values, as RFC 4180 has them. Empty lines are left out. */
export function recordsOf(text: string, delimiter: string): readonly TextRecord[] {
  const records: TextRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let began = 1;
  const endCell = () => {
    cells.push(cell.trim());
    cell = '';
  };
  const endRecord = () => {
    endCell();
    if (cells.some((one) => one !== '')) records.push({ line: began, cells });
    cells = [];
    began = line;
  };
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  for (let at = 0; at < plain.length; at += 1) {
    const character = plain[at] ?? '';
    if (character === '\n') line += 1;
    if (isQuoted && character === '"' && plain[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted;
    else if (isQuoted) cell += character;
    else if (character === delimiter) endCell();
    else if (character === '\n') endRecord();
    else cell += character;
  }
  endRecord();
  return records;
}
