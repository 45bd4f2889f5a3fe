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
 * A line of the kind mode, as k9s and kubectl take it: `:dp shop /api app=web @prod`. The kind comes first, then its
 * namespace (also `-n shop`, `-A`); in any order behind them `/` with the filter (which ends at a word that begins
 * with `@` or is a flag), labels (`app=web,tier!=db`, also behind `-l`) and `@` with the cluster.
 */
export interface KindLine {
  /** As typed: an alias, a name, or the beginning of one. */
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly filter: string | undefined;
  /** Label selectors as typed. */
  readonly labels: readonly string[];
  readonly cluster: string | undefined;
  /** The part that is being typed: its choices are offered. */
  readonly at: 'kind' | 'namespace' | 'filter' | 'cluster';
}

/** `app=web,tier!=db` as terms of a list's filter: `label:app=web !label:tier=db`. */
function labelTerms(selector: string): readonly string[] {
  return selector.split(',').flatMap((part) => {
    const [, not = '', key = '', sign = '', value = ''] = /^(!?)([^=!]*)(!=|==?)?(.*)$/.exec(part) ?? [];
    if (key === '') return [];
    const isNot = not === '!' || sign === '!=';
    return [`${isNot ? '!' : ''}label:${key}${value === '' ? '' : `=${value}`}`];
  });
}

/** What a list is filtered by that a line opens; undefined for all of it. */
export function filterOfLine({ filter, labels }: KindLine): string | undefined {
  const terms = [...labels.flatMap(labelTerms), ...(filter === undefined ? [] : [filter])];
  return terms.length === 0 ? undefined : terms.join(' ');
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

const namespaceFlag = /^(?:-n|--namespace)(?:=(.*))?$/;
const everywhereFlag = /^(?:-A|--all-namespaces)$/;
const labelFlag = /^(?:-l|--selector)(?:=(.*))?$/;
const isFlag = (word: string) => [namespaceFlag, everywhereFlag, labelFlag].some((flag) => flag.test(word));

/** Reads a line of the kind mode. @param input as typed, without the prefix, not trimmed at its end */
export function readKindLine(input: string): KindLine {
  const words = input.trimStart().split(/\s+/);
  const [kind = '', ...rest] = words;
  let namespace: string | undefined;
  let cluster: string | undefined;
  let filter: string[] | undefined;
  const labels: string[] = [];
  let at: KindLine['at'] = 'kind';
  /** What the flag before this word asks for. */
  let wanted: 'namespace' | 'labels' | undefined;
  for (const word of rest) {
    if (word === '') {
      // A space at the end, behind the kind or a flag: the namespace is what comes next.
      if (at !== 'filter' && namespace === undefined && wanted !== 'labels') at = 'namespace';
    } else if (word.startsWith('@')) {
      cluster = word.slice(1);
      at = 'cluster';
    } else if (word.startsWith('/')) {
      filter = [word.slice(1)];
      at = 'filter';
    } else if (isFlag(word)) {
      const named = namespaceFlag.exec(word);
      const selector = labelFlag.exec(word)?.[1];
      if (everywhereFlag.test(word)) namespace = 'all';
      else if (named !== null) namespace = named[1];
      else if (selector !== undefined) labels.push(selector);
      const isDone = word.includes('=') || everywhereFlag.test(word);
      wanted = isDone ? undefined : named === null ? 'labels' : 'namespace';
      at = named === null ? 'filter' : 'namespace';
      continue;
    } else if (wanted === 'namespace') {
      namespace = word;
      at = 'namespace';
    } else if (wanted === 'labels' || (at !== 'filter' && word.includes('='))) {
      labels.push(word);
      at = 'filter';
    } else if (filter !== undefined && at === 'filter') {
      filter.push(word);
    } else if (namespace === undefined) {
      namespace = word;
      at = 'namespace';
    } else {
      filter = [...(filter ?? []), word];
      at = 'filter';
    }
    if (word !== '') wanted = undefined;
  }
  const text = filter?.join(' ').trim();
  return {
    kind,
    namespace,
    filter: text === undefined || text === '' ? undefined : text,
    labels,
    cluster,
    at,
  };
}
