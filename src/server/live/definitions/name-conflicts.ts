import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import type { Entry } from '../source/projector.ts';

/** Pause between two readings, ms: each brings a whole schema. */
const readPause = 500;
/** Pause before a failed reading is tried again, ms. */
const retryPause = 5_000;

interface Reading {
  /** The version of the definition that it was read for. */
  readonly version: unknown;
  /** Undefined for a definition that is gone. */
  readonly entry: Entry | undefined;
}

interface Run {
  /** Reads a definition whole; undefined if it is gone. Throws. */
  readonly read: (name: string) => Promise<Entry | undefined>;
  /** Called once all are read, and after the conflicts became others before that. */
  readonly onChange: () => void;
}

/**
 * The definitions that may be established and have new names that another one has: those whose spec was changed, in a
 * group with others. Neither the directory nor their metadata says so.
 */
export function conflictCandidates(definitions: Iterable<Entry>): readonly Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of definitions) {
    const group = entry.name.slice(entry.name.indexOf('.') + 1);
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .flatMap((all) => all.filter(({ facts }) => Number(facts['generation']) > 1));
}

/**
 * Reads the definitions of a cluster whose names may be in conflict while their objects are served: each whole and once
 * for each of its versions, one after the other with pauses. A result is kept while no dashboard is open.
 */
export class NameConflicts {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #readings = new Map<string, Reading>();
  #candidates: readonly Entry[] = [];
  #run: Run | undefined;
  #isReading = false;
  /** Incremented by `forget`: what was asked before is of no use. */
  #epoch = 0;
  #cancelNext: (() => void) | undefined;

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** The definitions whose names are in conflict, by uid. */
  get found(): ReadonlyMap<string, Entry> {
    const found = [...this.#readings.values()].flatMap(({ entry }) =>
      entry?.attention === undefined ? [] : [[entry.uid, entry] as const],
    );
    return new Map(found);
  }

  /** Whether all that may be in conflict were read as they are now. */
  get isRead(): boolean {
    return this.#next() === undefined;
  }

  /** Reads what is new of these definitions, until `stop`. @param run who looks, in place of whoever looked before */
  look(definitions: Iterable<Entry>, run: Run): void {
    this.#run = run;
    this.#candidates = conflictCandidates(definitions);
    const names = new Set(this.#candidates.map(({ name }) => name));
    for (const name of this.#readings.keys()) if (!names.has(name)) this.#readings.delete(name);
    if (this.#cancelNext === undefined) void this.#goOn();
  }

  /** Nobody looks. */
  stop(): void {
    this.#run = undefined;
    this.#cancelNext?.();
    this.#cancelNext = undefined;
  }

  /** Forgets what was read: it may be of another cluster. */
  forget(): void {
    this.#readings.clear();
    this.#epoch += 1;
  }

  #next(): Entry | undefined {
    return this.#candidates.find(({ name, facts }) => this.#readings.get(name)?.version !== facts['version']);
  }

  async #goOn(): Promise<void> {
    const run = this.#run;
    const next = this.#next();
    if (run === undefined || next === undefined || this.#isReading) return;
    this.#isReading = true;
    const epoch = this.#epoch;
    let pause = readPause;
    try {
      const entry = await run.read(next.name);
      if (epoch === this.#epoch) this.#take(next, entry);
    } catch (error) {
      this.#log.debug({ err: error, definition: next.name }, 'A definition could not be read');
      pause = retryPause;
    }
    this.#isReading = false;
    if (this.#run === undefined) return;
    this.#cancelNext = this.#clock.after(pause, () => {
      this.#cancelNext = undefined;
      void this.#goOn();
    });
  }

  #take({ name, facts }: Entry, entry: Entry | undefined): void {
    const wasInConflict = this.#readings.get(name)?.entry?.attention !== undefined;
    this.#readings.set(name, { version: facts['version'], entry });
    if (wasInConflict || entry?.attention !== undefined || this.isRead) this.#run?.onChange();
  }
}
