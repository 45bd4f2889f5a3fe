import { pino } from 'pino';
import { pod } from '../../../commands/kinds/pod.ts';
import type { Transport } from '../../../src/server/clusters/transport.ts';
import { createProjector, entryAt, statusOf } from '../../../src/server/live/source/projector.ts';
import { createReflector, type Reflector } from '../../../src/server/live/source/reflector.ts';
import type { Budget } from '../../../src/server/kit/memory-budget.ts';
import type { Pulse } from '../../../src/server/live/source/pulse.ts';
import type { FakeClock } from './fake-clock.ts';

/** A reflector of pods, and what it told. */
export interface WatchedReflector {
  readonly reflector: Reflector;
  /** `+name`, `~name` and `-name`, in order. */
  readonly changes: string[];
  /** The statuses, in order, without repeats. */
  readonly states: string[];
  /** The names that are held, sorted. */
  readonly names: () => string[];
  /** The label and tone of a pod, by its name. */
  readonly status: (name: string) => readonly [label: string, tone: string] | undefined;
}

/** Starts a reflector of all pods of `prod`. */
export function startReflector(
  clock: FakeClock,
  transport: () => Promise<Transport>,
  budget: Budget = { limit: Number.POSITIVE_INFINITY, held: 0 },
  pulse?: Pulse,
): WatchedReflector {
  const log = pino({ level: 'silent' });
  const changes: string[] = [];
  const states: string[] = [];
  const reflector = createReflector({
    path: '/api/v1/pods',
    subject: () => ({ cluster: 'prod', kind: pod }),
    transport,
    project: createProjector(pod, log, clock),
    advance: (entry, now) => entryAt(pod, entry, now),
    clock,
    log,
    budget,
    pulse,
    onChange: (uid, entry, previous) =>
      changes.push(`${entry === undefined ? '-' : previous === undefined ? '+' : '~'}${uid.slice(4)}`),
    onState: () => {
      if (states.at(-1) !== reflector.state.status) states.push(reflector.state.status);
    },
  });
  return {
    reflector,
    changes,
    states,
    names: () => [...reflector.entries.values()].map((entry) => entry.name).sort(),
    status: (name) => {
      const entry = [...reflector.entries.values()].find((one) => one.name === name);
      return entry && statusOf(pod, entry);
    },
  };
}
