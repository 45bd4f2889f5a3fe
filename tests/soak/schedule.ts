import { chance } from '../prove.ts';

/** Something that happens to the installation during a soak. */
export interface SoakEvent {
  /** Seconds since the changes began. */
  readonly at: number;
  /**
   * `kill`: SIGKILL to a server, which is started again; `freeze`: SIGSTOP, later SIGCONT; `database`: PostgreSQL is
   * restarted.
   */
  readonly what: 'kill' | 'freeze' | 'database';
  /** Index of the server that it happens to; 0 for the database. */
  readonly server: number;
}

/** Servers from this index on are killed: the one before lives through the whole run, so that its memory can be seen. */
const firstVictim = 1;

/**
 * What happens in a soak, by time: a kill in each minute, a restart of PostgreSQL after three quarters of them, and in
 * runs of more than two minutes a freeze that begins after a third and is over by then. The same for the same seed.
 * @param servers how many there are, at least two
 */
export function scheduleOf(seed: number, minutes: number, servers: number): readonly SoakEvent[] {
  const random = chance(seed);
  const victim = (): number => firstVictim + Math.floor(random() * (servers - firstVictim));
  const kills = Array.from(
    { length: minutes },
    (_, minute): SoakEvent => ({
      at: minute * 60 + 10 + Math.floor(random() * 10),
      what: 'kill',
      server: victim(),
    }),
  );
  const late = Math.floor(minutes * 0.75) * 60;
  const database: SoakEvent = { at: late + 40, what: 'database', server: 0 };
  const freeze: readonly SoakEvent[] =
    minutes > 2 ? [{ at: Math.floor(minutes / 3) * 60 + 30, what: 'freeze', server: victim() }] : [];
  return [...kills, database, ...freeze].sort((a, b) => a.at - b.at);
}
