import { chance } from '../prove.ts';

/** Something that happens to the installation during a soak. */
export interface SoakEvent {
  /** Seconds since the soak began. */
  readonly at: number;
  /**
   * `kill`: SIGKILL to a server, which is started again; `freeze`: SIGSTOP, later SIGCONT; `database`: PostgreSQL is
   * restarted.
   */
  readonly what: 'kill' | 'freeze' | 'database';
  /** Index of the server that it happens to; 0 for the database. */
  readonly server: number;
}

/** The server that was started first: until something happens to it, it does much of what is done once. */
const oldest = 0;

/**
 * Everything that happens in a soak, by time: a kill in each minute, at first of the oldest server, then of others by
 * chance, so that one lives long enough to show its memory; a restart of PostgreSQL after three quarters; and in runs of
 * more than two minutes a freeze of the oldest server, which begins after a third and is over by then. The same for the
 * same seed.
 * @param servers how many there are, at least two
 */
export function scheduleOf(seed: number, minutes: number, servers: number): readonly SoakEvent[] {
  const random = chance(seed);
  const kills = Array.from({ length: minutes }, (_, minute): SoakEvent => {
    const at = minute * 60 + 10 + Math.floor(random() * 10);
    const other = oldest + 1 + Math.floor(random() * (servers - 1));
    return { at, what: 'kill', server: minute === 0 ? oldest : other };
  });
  const late = Math.floor(minutes * 0.75) * 60;
  const database: SoakEvent = { at: late + 40, what: 'database', server: 0 };
  const freeze: readonly SoakEvent[] =
    minutes > 2 ? [{ at: Math.floor(minutes / 3) * 60 + 30, what: 'freeze', server: oldest }] : [];
  return [...kills, database, ...freeze].sort((a, b) => a.at - b.at);
}
