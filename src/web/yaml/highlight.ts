import { type Lexeme, lexemesOf, type LexemeType } from '../../kube/yaml/lexemes.ts';

/** How a piece of YAML is coloured: key, string, number or keyword, comment, punctuation, or plain. */
export type TokenType = 'k' | 's' | 'n' | 'c' | 'p' | '';
export type Token = readonly [type: TokenType, text: string];

/** One line of YAML. */
export interface YamlLine {
  readonly tokens: readonly Token[];
  /** Spaces it begins with; a dash counts as one step further for what follows it. */
  readonly indent: number;
  /** Index of the last line that belongs to this one, where it opens a block; folding hides what is between. */
  readonly end?: number;
}

const numeric = /^[-+]?(?:\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|0x[\da-fA-F]+|\.(?:inf|nan))$/i;
const keywords = /^(?:true|false|null|~|yes|no|on|off)$/i;

/** Colours of what is coloured by its type alone. */
const colours: Readonly<Partial<Record<LexemeType, TokenType>>> = {
  space: '',
  newline: '',
  'byte-order-mark': '',
  comment: 'c',
  'directive-line': 'c',
  'single-quoted-scalar': 's',
  'double-quoted-scalar': 's',
};

function colourOf({ type, text }: Lexeme): TokenType {
  if (type === 'scalar') return numeric.test(text) || keywords.test(text) ? 'n' : 's';
  return colours[type] ?? 'p';
}

const isText = ({ type }: Lexeme) => type === 'scalar' || type.endsWith('-quoted-scalar');

/** Texts before a colon are keys, and a dash before a key takes the space between them along. */
function coloured(lexemes: readonly Lexeme[]): Token[] {
  const tokens = lexemes.map((lexeme): Token => [colourOf(lexeme), lexeme.text]);
  for (const [at, { type }] of lexemes.entries()) {
    if (type !== 'map-value-ind') continue;
    const before = lexemes[at - 1]?.type === 'space' ? at - 2 : at - 1;
    const key = lexemes[before];
    if (key === undefined || !isText(key)) continue;
    tokens[before] = ['k', key.text];
    const isItem = lexemes[before - 1]?.type === 'space' && lexemes[before - 2]?.type === 'seq-item-ind';
    if (isItem) tokens[before - 1] = ['p', lexemes[before - 1]?.text ?? ''];
  }
  return tokens;
}

/** A line while it is put together. */
interface Draft {
  readonly tokens: Token[];
  /** Index of the line in which the text began that goes on in this one. */
  readonly textFrom?: number;
}

/** Neighbours of one colour are one piece. */
function push(tokens: Token[], [type, text]: Token): void {
  const last = tokens.at(-1);
  if (last?.[0] === type) tokens[tokens.length - 1] = [type, last[1] + text];
  else tokens.push([type, text]);
}

/** The coloured pieces of each line, and which lines are text that began in an earlier one. */
function draftsOf(text: string): readonly Draft[] {
  const lexemes = [...lexemesOf(text)];
  const drafts: Draft[] = [{ tokens: [] }];
  let header: number | undefined;
  for (const [at, [type, piece]] of coloured(lexemes).entries()) {
    const lexeme = lexemes[at];
    if (lexeme?.type === 'block-scalar-header') header = drafts.length - 1;
    const isBlock = lexeme?.type === 'scalar' && header !== undefined;
    const from = isBlock ? (header ?? 0) : drafts.length - 1;
    if (isBlock) {
      // The text of a block begins with a line of its own, if it has any.
      if (from < drafts.length - 1) drafts[drafts.length - 1] = { tokens: [], textFrom: from };
      header = undefined;
    }
    const parts = piece.split('\n');
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const isInText = lexeme !== undefined && isText(lexeme);
      if (index > 0)
        drafts.push({ tokens: [], ...(isInText && !(isLast && part === '') ? { textFrom: from } : {}) });
      if (part !== '' || (isInText && !isLast))
        push(drafts.at(-1)?.tokens ?? [], [isBlock ? 's' : type, part]);
    }
  }
  return drafts;
}

const indentOf = (text: string) => (/^\s*/.exec(text)?.[0] ?? '').length;

/** Splits YAML into coloured lines. Never throws: invalid YAML is coloured as far as its tokens are recognised. */
export function highlightYaml(text: string): readonly YamlLine[] {
  const shown = text.replace(/\n$/, '');
  const texts = shown.split('\n');
  const lines: { tokens: readonly Token[]; indent: number; end?: number }[] = [];
  // The line that opened the text before a line: empty lines after it still belong to it.
  let opener: number | undefined;
  for (const [at, { tokens, textFrom }] of draftsOf(shown).entries()) {
    const one = texts[at] ?? '';
    const isEmpty = one.trim() === '';
    if (textFrom !== undefined || !isEmpty) opener = textFrom;
    const above = opener === undefined ? undefined : lines[opener];
    lines.push({ tokens, indent: isEmpty && above !== undefined ? above.indent + 1 : indentOf(one) });
  }
  for (const [index, line] of lines.entries()) {
    const end = blockEnd(lines, texts, index);
    if (end > index) line.end = end;
  }
  return lines;
}

/** The last line of the block that a line opens: deeper lines, and the items of a list under its key. */
function blockEnd(
  lines: readonly { readonly indent: number }[],
  texts: readonly string[],
  index: number,
): number {
  const { indent } = lines[index] ?? { indent: 0 };
  const text = texts[index] ?? '';
  const opensList = /:\s*$/.test(text) && !/^\s*- /.test(text);
  let end = index;
  for (let at = index + 1; at < lines.length; at += 1) {
    const other = lines[at]?.indent ?? 0;
    const isItem = opensList && other === indent && /^\s*-(\s|$)/.test(texts[at] ?? '');
    if (other <= indent && !isItem) break;
    end = at;
  }
  return end;
}

/** Lines that show while some are folded, by index. */
export function visibleLines(lines: readonly YamlLine[], folded: ReadonlySet<number>): readonly number[] {
  const shown: number[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    shown.push(at);
    const end = lines[at]?.end;
    if (folded.has(at) && end !== undefined) at = end;
  }
  return shown;
}
