import { type RowFilter, rowFilter, saysMore, wordsOf } from './filter.ts';
import { keepLatest } from './latest.ts';
import type { PlacedColumn } from './placed.ts';
import type { CompileRegex } from './regex.ts';
import { withRoom } from './sequence.ts';
import { Changes, type RowStore } from './store.ts';

/** Which rows pass a filter, by slot: 1 for those that do. */
type Passes = Uint8Array<ArrayBuffer>;

/** What a filter needs besides its text. */
export interface FilterAids {
  /** The engine for regular expressions, once it is there. */
  readonly compile?: CompileRegex | undefined;
  /** Seconds since 1970, for filters that ask for ages. */
  readonly now?: number | undefined;
}

/** Filters whose rows are remembered while no row changes: what is typed is often taken back. */
const keptFilters = 12;

/** Which rows of a store pass a filter: a change asks the rows that it is about, a filter that is typed on those that passed. */
export class Matches {
  readonly #rows: RowStore;
  readonly #changes = new Changes();
  #columns: readonly PlacedColumn[] = [];
  /** The searchable text of each row, by slot; computed when a filter searches for words. */
  #words: (string | undefined)[] = [];
  #text = '';
  #filter: RowFilter | undefined;
  #compile: CompileRegex | undefined;
  #now = 0;
  /** Of the texts asked for last. Where rows change, only that of the present one is kept. */
  readonly #known = new Map<string, Passes>();

  constructor(rows: RowStore) {
    this.#rows = rows;
  }

  /** Asks a filter about the rows as they are now. Undefined for a blank one, which every row passes. */
  of(text: string, columns: readonly PlacedColumn[], aids: FilterAids = {}): Passes | undefined {
    const { compile, now = 0 } = aids;
    const changed = this.#changes.of(this.#rows);
    const isOtherEngine = compile !== this.#compile;
    if (isOtherEngine || now !== this.#now) this.#known.clear();
    this.#compile = compile;
    this.#now = now;
    if (changed === undefined || columns !== this.#columns) {
      this.#known.clear();
      this.#words = [];
      this.#columns = columns;
      this.#text = '';
      this.#filter = undefined;
    } else if (changed.length > 0) this.#follow(changed);
    if (text !== this.#text || isOtherEngine) this.#filter = rowFilter(text, columns, compile);
    this.#text = text;
    const filter = this.#filter;
    if (filter === undefined) return undefined;
    const passes = this.#known.get(text) ?? this.#ask(filter, text);
    keepLatest(this.#known, text, passes, keptFilters);
    return passes;
  }

  /** Asks the filter about the rows that changed; those of other filters are no longer known. */
  #follow(changed: readonly number[]): void {
    for (const slot of changed) this.#words[slot] = undefined;
    const known = this.#known.get(this.#text);
    this.#known.clear();
    if (known === undefined || this.#filter === undefined) return;
    const passes = withRoom(known, this.#rows.room);
    for (const slot of changed) passes[slot] = this.#pass(this.#filter, slot);
    this.#known.set(this.#text, passes);
  }

  #ask(filter: RowFilter, text: string): Passes {
    // Every row that passes this filter passes those, of which the longest leaves the fewest to ask.
    const [wider] = [...this.#known]
      .filter(([other]) => saysMore(text, other, this.#columns))
      .sort(([a], [b]) => b.length - a.length);
    const { room } = this.#rows;
    const passes = new Uint8Array(room);
    for (let slot = 0; slot < room; slot += 1)
      if (wider === undefined || wider[1][slot] === 1) passes[slot] = this.#pass(filter, slot);
    return passes;
  }

  #pass(filter: RowFilter, slot: number): number {
    const row = this.#rows.at(slot);
    if (row === undefined) return 0;
    if (!filter.asksWords) return Number(filter.passes(row, '', this.#now));
    const words = (this.#words[slot] ??= wordsOf(row, this.#columns));
    return Number(filter.passes(row, words, this.#now));
  }
}
