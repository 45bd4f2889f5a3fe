/**
 * What the palette looks for, by the first character typed.
 * - `>` commands, `:` kinds, `@` namespaces, `#` clusters, `?` help; without one everything
 */
export const paletteModes = {
  '>': 'commands',
  ':': 'kinds',
  '@': 'namespaces',
  '#': 'clusters',
  '?': 'help',
} as const;
export type PalettePrefix = keyof typeof paletteModes;
export type PaletteMode = 'all' | (typeof paletteModes)[PalettePrefix];

/** A text of the palette, read. */
export interface PaletteInput {
  readonly mode: PaletteMode;
  /** Without the prefix, trimmed. */
  readonly text: string;
}

const isPrefix = (text: string): text is PalettePrefix => text in paletteModes;

/** Reads what stands in the palette. */
export function readPaletteInput(input: string): PaletteInput {
  const text = input.trimStart();
  const first = text.slice(0, 1);
  return isPrefix(first)
    ? { mode: paletteModes[first], text: text.slice(1).trim() }
    : { mode: 'all', text: text.trim() };
}

/**
 * A line of the kind mode, as k9s takes it: `:dp shop /api @prod`. The kind comes first, then its namespace, in any
 * order behind them `/` with the filter (which ends at a word that begins with `@`) and `@` with the cluster.
 */
export interface KindLine {
  /** As typed: an alias, a name, or the beginning of one. */
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly filter: string | undefined;
  readonly cluster: string | undefined;
  /** The part that is being typed: its choices are offered. */
  readonly at: 'kind' | 'namespace' | 'filter' | 'cluster';
}

/** The namespace a line of the kind mode asks for; `all` stands for every one, as in k9s. */
export const namespaceOfLine = ({ namespace }: KindLine): string | undefined =>
  namespace === 'all' ? undefined : namespace;

/** Words of k9s for its list of contexts, behind `:`. */
const contextWords = /^(?:ctx|contexts?)(?:\s+@?(.*))?$/;

/** What of a cluster's name stands in a line such as `:ctx prod`; undefined where the line means a kind. */
export const contextOfLine = (input: string): string | undefined => {
  const found = contextWords.exec(input.trim().toLowerCase());
  return found === null ? undefined : (found[1] ?? '');
};

/** Reads a line of the kind mode. @param input as typed, without the prefix, not trimmed at its end */
export function readKindLine(input: string): KindLine {
  const words = input.trimStart().split(/\s+/);
  const isOver = /\s$/.test(input) && words.at(-1) === '';
  const [kind = '', ...rest] = words;
  let namespace: string | undefined;
  let cluster: string | undefined;
  let filter: string[] | undefined;
  let at: KindLine['at'] = 'kind';
  for (const [index, word] of rest.entries()) {
    const isLast = index === rest.length - 1;
    if (word === '' && !(isLast && isOver)) continue;
    if (word.startsWith('@')) {
      cluster = word.slice(1);
      at = 'cluster';
    } else if (word.startsWith('/')) {
      filter = [word.slice(1)];
      at = 'filter';
    } else if (filter !== undefined && at === 'filter') {
      if (word !== '') filter.push(word);
    } else if (word === '') {
      // A space after the kind: the namespace is what comes next.
      if (namespace === undefined) at = 'namespace';
    } else if (namespace === undefined) {
      namespace = word;
      at = 'namespace';
    } else {
      filter = [...(filter ?? []), word];
      at = 'filter';
    }
  }
  const text = filter?.join(' ').trim();
  return {
    kind,
    namespace,
    filter: text === undefined || text === '' ? undefined : text,
    cluster,
    at,
  };
}
