import { distanceOf } from '../edit-distance.ts';

/** An item that a query can match. Names are ranked; words of the kind and the namespace support a match. */
export interface Rankable {
  /** Lower-case. */
  readonly name: string;
  /** Lower-case; empty if it has none. */
  readonly namespace: string;
  /** `maskOf(name)`, computed once: rules out almost all names cheaply. */
  readonly mask: number;
}

/** One word of a query. */
interface Term {
  readonly text: string;
  readonly mask: number;
}

/** A query prepared for comparison with many names. */
export interface RankQuery {
  readonly terms: readonly Term[];
  /** The words joined by single spaces: a fully typed title ranks above matches of its words. */
  readonly whole: string;
}

/** Maximum number of words of a query that count. */
const maxTerms = 6;
/** Minimum length of a word that may match as a subsequence. */
const minSubsequenceLength = 3;

/** How a word matches, best first; no boost lifts a match into the tier above. */
export const tiers = {
  equal: 7,
  prefix: 6,
  word: 5,
  kind: 4,
  namespace: 3,
  substring: 2,
  mistyped: 1.5,
  subsequence: 1,
  none: 0,
} as const;
type Tier = (typeof tiers)[keyof typeof tiers];

/** Points between two tiers; boosts stay below it. */
export const tierStep = 1000;

/** Whether the best score is so low that a typing mistake is likelier than that what was found is meant. */
export const isDoubtful = (score: number): boolean => score < tiers.substring * tierStep;

/** The characters of a text as a 32-bit mask: one bit for each letter, five for the digits, one for the rest. */
export function maskOf(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) mask |= 1 << (26 + ((code - 48) % 5));
    else mask |= 1 << 31;
  }
  return mask;
}

/** Prepares a displayed name for ranking. */
export function rankable(name: string, namespace = ''): Rankable {
  const lower = name.toLowerCase();
  return { name: lower, namespace: namespace.toLowerCase(), mask: maskOf(lower) };
}

/** Parses a query: words in any order, case-insensitive. */
export function rankQuery(text: string): RankQuery {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return {
    terms: words.slice(0, maxTerms).map((word) => ({ text: word, mask: maskOf(word) })),
    whole: words.join(' '),
  };
}

function isSeparator(code: number): boolean {
  // Space, - . / : _
  return code === 32 || code === 45 || code === 46 || code === 47 || code === 58 || code === 95;
}

/** Whether the letters of a word appear in order in a name, the first one at the beginning of a word. */
function isSubsequence(term: string, name: string): boolean {
  const first = term.charCodeAt(0);
  let from = 0;
  while (from < name.length) {
    if (name.charCodeAt(from) === first && (from === 0 || isSeparator(name.charCodeAt(from - 1)))) break;
    from += 1;
  }
  let at = 0;
  for (let index = from; index < name.length && at < term.length; index += 1) {
    if (name.charCodeAt(index) === term.charCodeAt(at)) at += 1;
  }
  return at === term.length;
}

/** The best tier at which a word matches a name. */
function nameTier(name: string, term: string): Tier {
  const first = name.indexOf(term);
  if (first === 0) return name.length === term.length ? tiers.equal : tiers.prefix;
  if (first < 0)
    return term.length >= minSubsequenceLength && isSubsequence(term, name) ? tiers.subsequence : tiers.none;
  for (let at = first; at >= 0; at = name.indexOf(term, at + 1)) {
    if (isSeparator(name.charCodeAt(at - 1))) return tiers.word;
  }
  return tiers.substring;
}

/** Letters of a word from which on one typing mistake is forgiven, and two. */
const [minLengthForOne, minLengthForTwo] = [4, 6];

const countBits = (mask: number): number => {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
};

const separators = /[ \-./:_]/;

/** Whether a word is the beginning of a word of a name, with a typing mistake or two. */
function isMistyped({ text, mask }: Term, item: Rankable): boolean {
  const limit = text.length >= minLengthForTwo ? 2 : text.length >= minLengthForOne ? 1 : 0;
  if (limit === 0 || countBits(mask & ~item.mask) > limit) return false;
  // A word with separators is compared with the whole name.
  const words = separators.test(text) ? [item.name] : item.name.split(separators);
  return words.some(
    (word) =>
      distanceOf(text, word, limit) <= limit ||
      (word.length > text.length && distanceOf(text, word.slice(0, text.length), limit) <= limit),
  );
}

/** Which words of a query begin a word of the kind. Computed once, as it is equal for all objects of the kind. */
export function kindMatches({ terms }: RankQuery, words: readonly string[]): readonly boolean[] {
  return terms.map(({ text }) => words.some((word) => word.startsWith(text)));
}

/**
 * The score of a name for a query; 0 if any word has no match. All words must match. A word that matches only the
 * namespace counts only beside another that matches name or kind, otherwise it would match everything in the namespace.
 * @param isKind from `kindMatches`
 * @param boost below one tier: recency, proximity
 * @param forgivesTypos also match words with a typing mistake or two; slow, so try without first
 */
export function scoreOf(
  query: RankQuery,
  item: Rankable,
  isKind: readonly boolean[],
  boost = 0,
  forgivesTypos = false,
): number {
  const { terms, whole } = query;
  const count = terms.length;
  if (count === 0) return 1 + boost;
  if (count > 1 && item.name.startsWith(whole)) {
    const tier = item.name.length === whole.length ? tiers.equal : tiers.prefix;
    return tier * tierStep + Math.min(boost, tierStep - 1);
  }
  let sum = 0;
  let matchesName = false;
  for (let index = 0; index < count; index += 1) {
    const term = terms[index];
    if (term === undefined) continue;
    let tier: Tier = (term.mask & ~item.mask) === 0 ? nameTier(item.name, term.text) : tiers.none;
    if (tier < tiers.kind && (isKind[index] ?? false)) tier = tiers.kind;
    if (tier < tiers.mistyped && forgivesTypos && isMistyped(term, item)) tier = tiers.mistyped;
    if (tier > tiers.none) matchesName = true;
    if (count > 1 && tier < tiers.namespace && item.namespace.startsWith(term.text)) {
      tier = tiers.namespace;
      // A match in the name also counts, even if the kind matches.
    }
    if (tier === tiers.none) return 0;
    sum += tier;
  }
  if (!matchesName) return 0;
  const step = tierStep / count;
  return sum * step + Math.min(boost, step - 1);
}

/** Keeps the best `limit` of the items offered, without sorting the others. */
export interface Best<T> {
  /** Whether an item with this score could still enter. */
  wants(score: number): boolean;
  offer(score: number, item: T): void;
  /** Best first. */
  result(): readonly { readonly score: number; readonly item: T }[];
}

/** @param compare breaks ties between equal scores: negative if the first comes first */
export function createBest<T>(limit: number, compare: (a: T, b: T) => number): Best<T> {
  const found: { score: number; item: T }[] = [];
  const isBefore = (score: number, item: T, other: { score: number; item: T }) =>
    score > other.score || (score === other.score && compare(item, other.item) < 0);
  return {
    wants: (score) => found.length < limit || score >= (found.at(-1)?.score ?? 0),
    offer(score, item) {
      const last = found.at(-1);
      if (found.length >= limit && last !== undefined && !isBefore(score, item, last)) return;
      let low = 0;
      let high = found.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const other = found[middle];
        if (other !== undefined && isBefore(score, item, other)) high = middle;
        else low = middle + 1;
      }
      found.splice(low, 0, { score, item });
      if (found.length > limit) found.pop();
    },
    result: () => found,
  };
}

/** A boost that prefers shorter names; at most 60. */
export const shortBoost = (name: string): number => Math.max(0, 60 - name.length);

/**
 * The ranges `[from, to)` of a title that a query matches, in order and not overlapping; none for subsequence matches.
 */
export function matchRanges(title: string, query: RankQuery): readonly (readonly [number, number])[] {
  const lower = title.toLowerCase();
  // If lower-casing changes the length, all later offsets would be wrong.
  if (lower.length !== title.length) return [];
  const marked = new Set<number>();
  for (const { text } of query.terms) {
    let at = lower.indexOf(text);
    for (let next = at; next >= 0; next = lower.indexOf(text, next + 1)) {
      if (next === 0 || isSeparator(lower.charCodeAt(next - 1))) {
        at = next;
        break;
      }
    }
    if (at >= 0) for (let index = 0; index < text.length; index += 1) marked.add(at + index);
  }
  const ranges: [number, number][] = [];
  for (const index of [...marked].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index) last[1] = index + 1;
    else ranges.push([index, index + 1]);
  }
  return ranges;
}
