import type { Logger } from 'pino';
import type { Transport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Subject } from './faults.ts';
import type { Entry, Projector } from './projector.ts';
import type { Pulse } from './pulse.ts';
import type { Budget } from '../../kit/memory-budget.ts';

/** The way of one list: to its cluster, or to the server that reads it for all. */
export type ListTransport = Transport & {
  /** Of a way to another server: the member of each object that has its entry. */
  readonly mark?: string;
};

export interface ReflectorOptions {
  /** Path of the collection. */
  readonly path: string;
  readonly subject: () => Subject;
  /** The way to the cluster, asked for on every try. */
  readonly transport: () => Promise<ListTransport>;
  readonly project: Projector;
  /** An entry as it is at a time, epoch seconds; without it, time changes none. */
  readonly advance?: (entry: Entry, now: number) => Entry;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the cluster answers; without it only the list's own tries tell. */
  readonly pulse?: Pulse | undefined;
  /** Shared by all lists of the server: what this one holds is taken from it until it is disposed. */
  readonly budget: Budget;
  /** Entries known from before (another credential or scope): the first list brings only what differs. */
  readonly held?: ReadonlyMap<string, Entry> | undefined;
  /** `entry` undefined: gone. Called for real changes only; `previous` is what was held. */
  readonly onChange: (uid: string, entry: Entry | undefined, previous: Entry | undefined) => void;
  /** After each complete list and each change of state. */
  readonly onState: () => void;
  /**
   * Takes rows before the list is complete: `entries` grows with each page of the first list, and this is called after
   * each. Without it they are empty until the list is complete.
   */
  readonly onPage?: (() => void) | undefined;
  /** Something came that is read soon, or with `take`. */
  readonly onWaiting?: () => void;
  /** The list was denied (403): true when the owner took over with narrower reflectors and disposed this one. */
  readonly onDenied?: () => Promise<boolean>;
}
