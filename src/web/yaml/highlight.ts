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

const keyed =
  /^((?:- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?))(:)(?=\s|$)/;
const numeric = /^[-+]?(?:\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|0x[\da-fA-F]+|\.(?:inf|nan))$/i;
const words = /^(?:true|false|null|~|yes|no|on|off)$/i;
const blockStart = /^[|>][-+]?\d*\s*$/;

function valueTokens(text: string): readonly Token[] {
  const lead = /^\s*/.exec(text)?.[0] ?? '';
  const rest = text.slice(lead.length);
  const head: readonly Token[] = lead === '' ? [] : [['', lead]];
  if (rest === '') return head;
  if (rest.startsWith('#')) return [...head, ['c', rest]];
  const isQuoted = /^["']/.test(rest);
  const comment = isQuoted ? -1 : rest.search(/\s#/);
  const value = comment < 0 ? rest : rest.slice(0, comment);
  const tail: readonly Token[] = comment < 0 ? [] : [['c', rest.slice(comment)]];
  if (/^[[\]{}]/.test(value) || blockStart.test(value)) return [...head, ['p', value], ...tail];
  const type = numeric.test(value) || words.test(value) ? 'n' : 's';
  return [...head, [type, value], ...tail];
}

function lineTokens(text: string): readonly Token[] {
  const lead = /^\s*/.exec(text)?.[0] ?? '';
  const rest = text.slice(lead.length);
  const head: readonly Token[] = lead === '' ? [] : [['', lead]];
  if (rest.startsWith('#')) return [...head, ['c', rest]];
  if (rest === '---' || rest === '...') return [...head, ['p', rest]];
  const match = keyed.exec(rest);
  if (match !== null) {
    const [whole, dashes = '', key = '', colon = ''] = match;
    return [
      ...head,
      ...(dashes === '' ? [] : ([['p', dashes]] as const)),
      ['k', key],
      ['p', colon],
      ...valueTokens(rest.slice(whole.length)),
    ];
  }
  const dashes = /^(?:- )*-?(?=\s|$)|^(?:- )+/.exec(rest)?.[0] ?? '';
  return [
    ...head,
    ...(dashes === '' ? [] : ([['p', dashes]] as const)),
    ...valueTokens(rest.slice(dashes.length)),
  ];
}

const indentOf = (text: string) => (/^\s*/.exec(text)?.[0] ?? '').length;

/**
 * Splits YAML, as this console writes it (block style, two spaces), into coloured lines. Never throws: what it does
 * not know stays plain.
 */
export function highlightYaml(text: string): readonly YamlLine[] {
  const texts = text.replace(/\n$/, '').split('\n');
  const lines: { tokens: readonly Token[]; indent: number; end?: number }[] = [];
  // Inside a block scalar every deeper line is text, whatever it looks like.
  let scalar: number | undefined;
  for (const one of texts) {
    const indent = indentOf(one);
    if (scalar !== undefined && (one.trim() === '' || indent > scalar)) {
      lines.push({ tokens: [['s', one]], indent: one.trim() === '' ? scalar + 1 : indent });
      continue;
    }
    scalar = /(?:^|[:-]\s+)[|>][-+]?\d*\s*$/.test(one) ? indent : undefined;
    lines.push({ tokens: lineTokens(one), indent });
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
