import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  visit,
  type YAMLMap,
} from 'yaml';
import { isMergeKey, keyOfScalar, type ScalarFault, valueOfScalar } from './scalar-node.ts';

/** Maximum nesting of lists and maps that is read. Kubernetes' own kinds nest about twenty levels. */
export const maxManifestDepth = 200;
/** The error for deeper nesting. */
export const tooDeep = `This text is nested too deeply: the maximum is ${maxManifestDepth} levels.`;

/** Why a document has no value; quotes nothing of it. */
export interface ValueFault {
  readonly message: string;
  /** What to do about it, as a sentence; undefined if the message says enough. */
  readonly advice: string | undefined;
  /** Offset in the text, in characters; undefined if the whole text is concerned. */
  readonly offset: number | undefined;
}

/** How to treat a duplicate key of a map: kubectl silently keeps the last one. */
export type RepeatedKeys = 'refused' | 'last';

/** The value of a document, or why it has none. */
export type DocumentValue =
  | {
      readonly type: 'value';
      readonly value: unknown;
      /** Offsets of merge keys that override earlier entries of their maps, in characters. */
      readonly replacing: readonly number[];
    }
  | { readonly type: 'fault'; readonly fault: ValueFault };

/**
 * Converts a document to the JSON value that kubectl sends: keys become strings, merge keys are merged, tags of maps
 * and lists are ignored.
 */
export function readValue(document: Document.Parsed, repeated: RepeatedKeys = 'refused'): DocumentValue {
  try {
    const reader = new Reader(document, repeated);
    return {
      type: 'value',
      value: reader.read(document.contents, 0),
      replacing: [...reader.replacing],
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { type: 'fault', fault: error.fault };
  }
}

class Fault extends Error {
  readonly fault: ValueFault;

  constructor(message: string, node?: unknown, advice?: string) {
    super(message);
    const offset = (node as Partial<Node> | null | undefined)?.range?.[0];
    this.fault = { message, advice, offset };
  }
}

/** Resolves the aliases of a document: each stands for the last preceding node with its anchor. */
function aliasTargets(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const nodesByAnchor = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        const target = nodesByAnchor.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) nodesByAnchor.set(node.anchor, node);
    },
  });
  return targets;
}

/**
 * Limits of alias expansion: documents with up to this many nodes may consist almost entirely of aliases; larger ones
 * progressively less. Source: go-yaml, decode.go.
 */
const fewNodes = 400_000;
const manyNodes = 4_000_000;

function aliasShare(nodes: number): number {
  if (nodes <= fewNodes) return 0.99;
  if (nodes >= manyNodes) return 0.1;
  return 0.99 - 0.89 * ((nodes - fewNodes) / (manyNodes - fewNodes));
}

class Reader {
  readonly #document: Document.Parsed;
  readonly #repeated: RepeatedKeys;
  #targets: ReadonlyMap<Alias, Node> | undefined;
  /** Nodes whose alias is being expanded. */
  readonly #open = new Set<Node>();
  #nodes = 0;
  #aliased = 0;
  readonly replacing = new Set<number>();

  constructor(document: Document.Parsed, repeated: RepeatedKeys) {
    this.#document = document;
    this.#repeated = repeated;
  }

  read(node: unknown, depth: number): unknown {
    this.#enter(node, depth);
    if (isAlias(node)) return this.#through(node, (target) => this.read(target, depth));
    if (isScalar(node)) return orFault(valueOfScalar(node), node);
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    if (!isMap(node)) return null;
    const entries = new Map<string, unknown>();
    this.#fill(entries, node, depth);
    // Keeps `__proto__` an ordinary key.
    return Object.fromEntries(entries);
  }

  #enter(node: unknown, depth: number): void {
    if (depth > maxManifestDepth) throw new Fault(tooDeep);
    const name = isAlias(node)
      ? node.source
      : isScalar(node) || isMap(node) || isSeq(node)
        ? node.anchor
        : undefined;
    // kubectl ends the name at such a character and reads what follows as the value.
    if (name !== undefined && !/^[-\w]+$/.test(name))
      throw new Fault(
        'An anchor or alias has other characters in its name than letters, digits, - and _',
        node,
      );
    this.#nodes += 1;
    if (this.#open.size > 0) this.#aliased += 1;
    if (this.#aliased > 100 && this.#nodes > 1_000 && this.#aliased / this.#nodes > aliasShare(this.#nodes))
      throw new Fault('Aliases multiply this text too often', node, 'Write out the repeated parts.');
  }

  #through<T>(alias: Alias, read: (target: Node) => T): T {
    this.#targets ??= aliasTargets(this.#document);
    const target = this.#targets.get(alias);
    if (target === undefined)
      throw new Fault('Unresolved alias (the anchor must be set before the alias)', alias);
    if (this.#open.has(target)) throw new Fault('An alias refers to a part that contains it', alias);
    this.#open.add(target);
    const value = read(target);
    this.#open.delete(target);
    return value;
  }

  /** Adds the entries of a map; they replace existing ones. */
  #fill(entries: Map<string, unknown>, map: YAMLMap, depth: number): void {
    const own = new Set<string>();
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) {
        const merged = new Map<string, unknown>();
        this.#merge(merged, value, depth + 1);
        // As in kubectl, merged entries replace those written before.
        for (const [name, one] of merged) {
          if (own.has(name)) this.replacing.add((key as Node).range?.[0] ?? 0);
          entries.set(name, one);
        }
        continue;
      }
      const name = this.#keyOf(key, depth);
      if (own.has(name) && this.#repeated === 'refused') throw new Fault('Map keys must be unique', key);
      own.add(name);
      entries.set(name, this.read(value, depth + 1));
    }
  }

  /** Merges the maps of a merge key. */
  #merge(entries: Map<string, unknown>, source: unknown, depth: number): void {
    this.#enter(source, depth);
    if (isSeq(source)) {
      // The first of several maps wins.
      for (const item of source.items.toReversed()) this.#mergeMap(entries, item, depth);
    } else this.#mergeMap(entries, source, depth);
  }

  #mergeMap(entries: Map<string, unknown>, source: unknown, depth: number): void {
    if (isAlias(source))
      this.#through(source, (target) => {
        if (!isMap(target)) throw new Fault(wantsMap, source);
        this.#enter(target, depth);
        this.#fill(entries, target, depth);
      });
    else if (isMap(source)) this.#fill(entries, source, depth);
    else throw new Fault(wantsMap, source);
  }

  #keyOf(key: unknown, depth: number): string {
    this.#enter(key, depth);
    if (isAlias(key)) return this.#through(key, (target) => this.#keyOf(target, depth));
    if (isScalar(key)) return orFault(keyOfScalar(key), key);
    throw new Fault('A key is a map or a list, which no key of JSON can be', key);
  }
}

const wantsMap = 'A merge key (<<) takes a map, an alias of one, or a list of them';

function orFault<T>(found: { readonly value: T } | ScalarFault, node: unknown): T {
  if ('fault' in found) throw new Fault(found.fault, node, found.advice);
  return found.value;
}
