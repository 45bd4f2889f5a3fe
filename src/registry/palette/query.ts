import { openWords, tools } from './words.ts';

/**
 * What the palette searches, by the first character typed.
 * - `>` commands, `:` kinds, `@` namespaces, `#` clusters, `?` help; everything without a prefix
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

/** The palette's input, parsed. */
export interface PaletteInput {
  readonly mode: PaletteMode;
  /** Without the prefix, trimmed. */
  readonly text: string;
}

const isPrefix = (text: string): text is PalettePrefix => text in paletteModes;

/** Parses the palette's input. */
export function readPaletteInput(input: string): PaletteInput {
  const text = input.trimStart();
  const first = text.slice(0, 1);
  return isPrefix(first)
    ? { mode: paletteModes[first], text: text.slice(1).trim() }
    : { mode: 'all', text: text.trim() };
}

/**
 * A line of the kind mode in the syntax of k9s and kubectl: `:dp shop /api app=web @prod`. First the kind, then the
 * namespace (also `-n shop`, `-A`), then in any order `/` with the filter (up to a word that begins with `@` or is a
 * flag), labels (`app=web,tier!=db`, also after `-l`) and `@` with the cluster.
 */
export interface KindLine {
  /** As typed: an alias, a name, or a prefix. */
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly filter: string | undefined;
  /** Label selectors as typed. */
  readonly labels: readonly string[];
  readonly cluster: string | undefined;
  /** The part at the caret, whose choices the palette offers. */
  readonly at: 'kind' | 'namespace' | 'filter' | 'cluster';
}

/** Converts `app=web,tier!=db` to filter terms of a list: `label:app=web !label:tier=db`. */
function labelTerms(selector: string): readonly string[] {
  return selector.split(',').flatMap((part) => {
    const [, not = '', key = '', sign = '', value = ''] = /^(!?)([^=!]*)(!=|==?)?(.*)$/.exec(part) ?? [];
    if (key === '') return [];
    const isNot = not === '!' || sign === '!=';
    return [`${isNot ? '!' : ''}label:${key}${value === '' ? '' : `=${value}`}`];
  });
}

/** The filter of the list that a line opens; undefined for no filter. */
export function filterOfLine({ filter, labels }: KindLine): string | undefined {
  const terms = [...labels.flatMap(labelTerms), ...(filter === undefined ? [] : [filter])];
  return terms.length === 0 ? undefined : terms.join(' ');
}

/** The namespace of a line; `all` stands for all namespaces, as in k9s. */
export const namespaceOfLine = ({ namespace }: KindLine): string | undefined =>
  namespace === 'all' ? undefined : namespace;

/** k9s's words for its list of contexts, after `:`. */
const contextWords = /^(?:ctx|contexts?)(?:\s+@?(.*))?$/;

/** The part of a cluster's name in a line such as `:ctx prod`; undefined if the line names a kind. */
export const contextOfLine = (input: string): string | undefined => {
  const found = contextWords.exec(input.trim().toLowerCase());
  return found === null ? undefined : (found[1] ?? '');
};

const namespaceFlag = /^(?:-n|--namespace)(?:=(.*))?$/;
const everywhereFlag = /^(?:-A|--all-namespaces)$/;
const labelFlag = /^(?:-l|--selector)(?:=(.*))?$/;
const isFlag = (word: string) => [namespaceFlag, everywhereFlag, labelFlag].some((flag) => flag.test(word));

/**
 * The line of the kind mode that a text without a prefix means: `kubectl get po -n shop` or `pods in shop` is `po -n shop`.
 * Undefined where neither a flag nor a known namespace says that it is one.
 */
export function kindLineIn(text: string, namespaces: readonly string[]): string | undefined {
  const words = text.trim().split(/\s+/);
  const from = words.findIndex(
    (word) => !tools.has(word.toLowerCase()) && !openWords.has(word.toLowerCase()),
  );
  const [kind = '', ...rest] = words.slice(from);
  if (rest.some(isFlag)) return [kind, ...rest].join(' ');
  const [, name = ''] =
    /^(?:in|of|from)\s+(?:(?:the\s+)?(?:namespace|ns)\s+)?(\S+)$/i.exec(rest.join(' ')) ?? [];
  return namespaces.includes(name) ? `${kind} ${name}` : undefined;
}

/** Parses a line of the kind mode. @param input as typed, without the prefix, with trailing spaces */
export function readKindLine(input: string): KindLine {
  const words = input.trimStart().split(/\s+/);
  const [kind = '', ...rest] = words;
  let namespace: string | undefined;
  let cluster: string | undefined;
  let filter: string[] | undefined;
  const labels: string[] = [];
  let at: KindLine['at'] = 'kind';
  /** What the preceding flag expects. */
  let expected: 'namespace' | 'labels' | undefined;
  for (const word of rest) {
    if (word === '') {
      // A trailing space after the kind or a flag: the namespace comes next.
      if (at !== 'filter' && namespace === undefined && expected !== 'labels') at = 'namespace';
    } else if (word.startsWith('@')) {
      cluster = word.slice(1);
      at = 'cluster';
    } else if (word.startsWith('/')) {
      filter = [word.slice(1)];
      at = 'filter';
    } else if (isFlag(word)) {
      const namespaceMatch = namespaceFlag.exec(word);
      const selector = labelFlag.exec(word)?.[1];
      if (everywhereFlag.test(word)) namespace = 'all';
      else if (namespaceMatch !== null) namespace = namespaceMatch[1];
      else if (selector !== undefined) labels.push(selector);
      const isDone = word.includes('=') || everywhereFlag.test(word);
      expected = isDone ? undefined : namespaceMatch === null ? 'labels' : 'namespace';
      at = namespaceMatch === null ? 'filter' : 'namespace';
      continue;
    } else if (expected === 'namespace') {
      namespace = word;
      at = 'namespace';
    } else if (expected === 'labels' || (at !== 'filter' && word.includes('='))) {
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
    if (word !== '') expected = undefined;
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
