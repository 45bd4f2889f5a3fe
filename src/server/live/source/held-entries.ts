import type { Clock } from '../../kit/clock.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { reflectorLimits } from './limits.ts';
import { type Listed, requireRoom, tooMany } from './list.ts';
import { type Entry, identity } from './projector.ts';
import type { ReflectorOptions } from './reflector-options.ts';
import { createTurns } from './turns.ts';
import { weightGained, weightOf } from './weight.ts';

/** The entries of a reflector's list. Reports every real change; charges their size to the budget. */
export interface HeldEntries {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Of the entries together, bytes. */
  readonly weight: number;
  /** Adds or replaces an object. Throws TooLarge for more than may be held, and NoMemory. */
  put(object: KubeObject): void;
  /** Adds or replaces entries of a list that is still being read; their room was asked for. */
  add(read: readonly Entry[]): void;
  drop(uid: string | undefined): void;
  /** Holds exactly what this list has. */
  become(listed: Listed): void;
  /** Drops everything. */
  clear(): void;
  /** Gives back what it took from the budget, and ends what time changes. */
  dispose(): void;
}

/** Begins with the entries that are known from before. */
export function createHeldEntries(
  options: Pick<
    ReflectorOptions,
    'held' | 'project' | 'advance' | 'clock' | 'budget' | 'subject' | 'onChange' | 'pulse'
  >,
): HeldEntries {
  const { project, pulse } = options;
  // What time alone changes goes by the cluster's clock, which wrote the times.
  const clock: Clock = {
    now: () => options.clock.now() + (pulse?.clockAhead ?? 0),
    random: () => options.clock.random(),
    after: (ms, run) => options.clock.after(ms, run),
  };
  const entries = new Map(options.held);
  let weight = 0;

  /** Takes what the entries weigh from the budget, in place of what they weighed. */
  function weigh(next: number): void {
    options.budget.held += next - weight;
    weight = next;
  }

  const turns = createTurns(clock, turn);

  for (const entry of entries.values()) {
    weigh(weight + weightOf(entry));
    turns.set(entry.uid, entry.later?.at);
  }

  /** Puts entries forward that time alone changes. */
  function turn(uids: readonly string[]): void {
    for (const uid of uids) {
      const previous = entries.get(uid);
      const entry = previous && options.advance?.(previous, clock.now() / 1000);
      if (entry === undefined || previous === undefined || entry === previous) continue;
      weigh(weight + weightGained(entry, previous));
      replace(entry, previous);
    }
  }

  function replace(entry: Entry, previous: Entry | undefined): void {
    entries.set(entry.uid, entry);
    turns.set(entry.uid, entry.later?.at);
    options.onChange(entry.uid, entry, previous);
  }

  function drop(uid: string | undefined): void {
    const previous = uid === undefined ? undefined : entries.get(uid);
    if (previous === undefined) return;
    entries.delete(previous.uid);
    turns.set(previous.uid, undefined);
    weigh(weight - weightOf(previous));
    options.onChange(previous.uid, undefined, previous);
  }

  return {
    entries,
    get weight() {
      return weight;
    },
    put(object) {
      const uid = identity(object);
      const previous = uid === undefined ? undefined : entries.get(uid);
      const entry = project(object, previous);
      if (entry === undefined || entry === previous) return;
      if (previous === undefined && entries.size >= reflectorLimits.objects) throw tooMany(options.subject());
      const next = weight + (previous === undefined ? weightOf(entry) : weightGained(entry, previous));
      if (next > weight) requireRoom(next, weight, options.budget, options.subject());
      weigh(next);
      replace(entry, previous);
    },
    add(read) {
      for (const entry of read) {
        const previous = entries.get(entry.uid);
        if (previous === entry) continue;
        weigh(weight + (previous === undefined ? weightOf(entry) : weightGained(entry, previous)));
        replace(entry, previous);
      }
    },
    drop,
    become(listed) {
      for (const uid of entries.keys()) if (!listed.entries.has(uid)) drop(uid);
      for (const [uid, entry] of listed.entries) {
        const previous = entries.get(uid);
        if (previous !== entry) replace(entry, previous);
      }
      weigh(listed.weight);
    },
    clear() {
      for (const uid of entries.keys()) drop(uid);
    },
    dispose() {
      weigh(0);
      turns.dispose();
    },
  };
}
