/** A test that a document names in a table. */
export interface QuotedTest {
  /** Path of the test file in the checkout. */
  readonly file: string;
  /** Its title or a part of it; undefined where the whole file is meant. ` … ` stands for what is left out. */
  readonly title: string | undefined;
}

/** One row of a table that has a column for tests. */
export interface TestedRow {
  /** Text of its first cell. */
  readonly claim: string;
  readonly tests: readonly QuotedTest[];
}

const isSeparator = (line: string | undefined) => line !== undefined && /^\|(?: *:?-+:? *\|)+$/.test(line);

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/**
 * The rows of the tables of a document whose last column is headed `Test`, or `Test, in` a folder. A cell names a file in
 * backticks and titles in quotation marks after it; `the same`, and a title without a file, mean the file named before in
 * the table.
 */
export function testedRows(text: string): TestedRow[] {
  const lines = text.split('\n');
  const rows: TestedRow[] = [];
  let folder: string | undefined;
  let file = '';
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('|')) folder = undefined;
    else if (isSeparator(lines[index + 1])) {
      const [, named] = /^Test(?:, in `([^`]+)`)?$/.exec(cellsOf(line).at(-1) ?? '') ?? [
        undefined,
        undefined,
      ];
      folder = /^Test(?:,|$)/.test(cellsOf(line).at(-1) ?? '') ? (named ?? '') : undefined;
      file = '';
    } else if (folder !== undefined && !isSeparator(line)) {
      const cells = cellsOf(line);
      const tests: QuotedTest[] = [];
      for (const [, path, title] of (cells.at(-1) ?? '').matchAll(
        /`([^`]+\.(?:test|spec)\.ts)`|"([^"]+)"/g,
      )) {
        if (path !== undefined) file = path.startsWith('tests/') ? path : folder + path;
        tests.push({ file, title });
      }
      rows.push({ claim: cells[0] ?? '', tests });
    }
  }
  return rows;
}

/** The texts of a source file that stand in quotation marks, without its comments. */
export function quotedTexts(source: string): string {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`/g)].join('\n');
}
