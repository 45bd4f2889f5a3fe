import { setTimeout as wait } from 'node:timers/promises';
import { chance } from '../prove.ts';
import { Changes, differenceOf } from './changes.ts';
import type { Mark } from './chart.ts';
import { GrantProbe } from './grants.ts';
import { type Installation, namesAt } from './installation.ts';
import type { SoakOptions } from './options.ts';
import { SoakPage } from './page.ts';
import { type SoakEvent, scheduleOf } from './schedule.ts';
import type { SoakServer } from './servers.ts';
import { LogFollower, ShellUser } from './streams.ts';
import type { Point } from './trend.ts';
import { steadyWaits } from './waits.ts';
import { Writes } from './writes.ts';

/** Pages opened with one session: a server takes no more sockets of it at once. */
const pagesOfSession = 20;
/** Each page is loaded anew about so often, s: people come and go, and the round-robin gives them another server. */
const stay = 60;
/**
 * The changes run for so long before anything happens and is measured, s: servers that have just started are slow until
 * their code is compiled.
 */
const warmUp = 30;
/** So long a server is frozen, s. */
const freezeSeconds = 60;
/** So long PostgreSQL is away, s. */
const databaseAway = 4;
/** A page gives a socket up that said nothing for 2.5 beats, and is back within some seconds. */
const leaveFrozen = 45;
/** Lists that are not right after this never will be, ms. */
const patience = 30_000;
/** Memory and latencies are noted so often, s. */
const sampling = 2;

/** What a soak measured. Times are seconds since it began where nothing else is said. */
export interface Findings {
  readonly marks: Mark[];
  /** MB, of each server and each of its lives: `SERVER/LIFE`. */
  readonly memory: Map<string, Point[]>;
  /** Change to row, p50 and p95 of each sample, ms. */
  readonly latencies: { readonly p50: Point[]; readonly p95: Point[]; readonly all: number[] };
  /** From a kill to right lists on all pages, s. */
  readonly rightAfterKill: number[];
  readonly rightAfterFreeze: number[];
  readonly rightAfterDatabase: number[];
  /** From SIGCONT to the end of what was open by a grant that is gone, s. */
  readonly goneAfterThaw: number[];
  /** What pages held that was not true: sentences. */
  readonly stale: string[];
  /** How often all pages were compared. */
  comparisons: number;
  /** Rows that came to the first page while PostgreSQL was away. */
  arrivedWithoutDatabase: number;
  /** Pages that were not told that PostgreSQL is away, or not that it is back. */
  uninformedPages: number;
  /** Pages that lost their socket while PostgreSQL was away. */
  lostWithDatabase: number;
}

/** One soak over an installation. */
export class Soak {
  readonly findings: Findings;
  readonly pages: SoakPage[] = [];
  readonly logs: { readonly follower: LogFollower; readonly path: string }[] = [];
  readonly shells: ShellUser[] = [];
  readonly changes: Changes;
  readonly grants: GrantProbe;
  readonly writes: Writes;
  readonly #options: SoakOptions;
  readonly #installation: Installation;
  readonly #frozenGrants: GrantProbe;
  readonly #random: () => number;
  readonly #say: (text: string) => void;
  /** What goes on beside what else happens; its failure is that of the whole. */
  #thawing: Promise<void> = Promise.resolve();
  #changing: Promise<void> = Promise.resolve();
  #began = 0;
  /** Whether nobody loads a page anew: what has no database cannot let anybody in. */
  #isQuiet = false;
  /** When the last freeze began, s. */
  #frozenAt = -Infinity;

  constructor(
    options: SoakOptions,
    installation: Installation,
    deployments: Awaited<ReturnType<typeof namesAt>>,
    say: (text: string) => void,
  ) {
    const { call, owner, clusterId, servers, viewers } = installation;
    this.#options = options;
    this.#installation = installation;
    this.#random = chance(options.seed + 1);
    this.#say = say;
    this.changes = new Changes(call);
    this.writes = new Writes(owner, clusterId, deployments);
    const [first, second] = viewers.map(
      (viewer) => new GrantProbe({ servers, owner, viewer, clusterId }, chance(options.seed + 2)),
    );
    if (first === undefined || second === undefined) throw new Error('Two viewers are needed.');
    this.grants = first;
    this.#frozenGrants = second;
    this.findings = {
      marks: [],
      memory: new Map(),
      latencies: { p50: [], p95: [], all: [] },
      rightAfterKill: [],
      rightAfterFreeze: [],
      rightAfterDatabase: [],
      goneAfterThaw: [],
      stale: [],
      comparisons: 0,
      arrivedWithoutDatabase: 0,
      uninformedPages: 0,
      lostWithDatabase: 0,
    };
  }

  /** Opens what people have open, and waits until all of it is there. */
  async open(): Promise<void> {
    const { roundRobin, clusterId, call } = this.#installation;
    await this.changes.prepare();
    const { url } = roundRobin;
    let client = await this.#installation.signIn();
    for (let index = 0; index < this.#options.pages; index += 1) {
      if (index > 0 && index % pagesOfSession === 0) client = await this.#installation.signIn();
      const onStatus = (status: string): void => this.changes.seen(status);
      this.pages.push(new SoakPage({ url, client, clusterId, ...(index === 0 ? { onStatus } : {}) }));
    }
    const pods = await namesAt(call, '/api/v1/pods?limit=20');
    const streams = await this.#installation.signIn();
    for (const pod of pods.slice(0, this.#options.streams)) {
      const place = { url, client: streams, clusterId, pod };
      const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/log?timestamps=true`;
      this.logs.push({ follower: new LogFollower(place), path });
      this.shells.push(new ShellUser(place));
    }
    await steadyWaits.until('all pages show their lists', () => this.pages.every(({ isLive }) => isLive));
  }

  /** Lets the changes run until everything is warm, or until the signal is aborted: then the soak begins. */
  async warmUp(signal: AbortSignal): Promise<void> {
    this.#changing = this.changes.run(this.#options.changes);
    await Promise.race([this.#changing, wait(warmUp * 1000, undefined, { signal }).catch(() => undefined)]);
    this.changes.takeLatencies();
    this.#began = performance.now();
  }

  /** Runs everything for the minutes of the options, or until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const loops = AbortSignal.any([signal, ending.signal]);
    const changing = this.#changing;
    const others = Promise.all([
      this.grants.run(loops),
      this.writes.run(loops),
      ...this.shells.map((shell) => shell.run(loops)),
      this.#reload(loops),
      this.#sample(loops),
    ]);
    try {
      // One that fails ends the soak; that one ends with its signal alone.
      const failed = Promise.all([changing, others]);
      await Promise.race([this.#happen(signal), failed]);
    } finally {
      ending.abort();
      await others;
    }
    if (!signal.aborted) await this.#compare('at the end', performance.now(), signal);
    this.changes.end();
    await changing;
  }

  close(): void {
    for (const page of this.pages) page.close();
    for (const { follower } of this.logs) follower.close();
  }

  /** Seconds since the soak began. */
  get now(): number {
    return (performance.now() - this.#began) / 1000;
  }

  async #happen(signal: AbortSignal): Promise<void> {
    const { minutes, seed } = this.#options;
    const { servers } = this.#installation;
    for (const event of scheduleOf(seed, minutes, servers.length)) {
      await this.#until(event.at, signal);
      if (signal.aborted) return;
      await this.#do(event, signal);
    }
    await this.#until(minutes * 60, signal);
    await this.#thawing;
  }

  async #until(at: number, signal: AbortSignal): Promise<void> {
    const left = at - this.now;
    if (left > 0) await wait(left * 1000, undefined, { signal }).catch(() => undefined);
  }

  async #do({ what, server: index }: SoakEvent, signal: AbortSignal): Promise<void> {
    const able = this.#installation.servers.filter(({ isAble }) => isAble);
    const chosen = this.#installation.servers[index];
    const server = chosen !== undefined && able.includes(chosen) ? chosen : able.at(-1);
    this.findings.marks.push({ at: this.now, name: what });
    this.#say(
      `${this.now.toFixed(0)} s: ${what}${what === 'database' ? '' : ` of ${server?.url ?? 'none'}`}`,
    );
    if (what === 'database') {
      // One at a time, so that each shows what it does.
      await this.#thawing;
      await this.#restartDatabase(signal);
    } else if (server === undefined) this.#say('No server is left for it.');
    else if (what === 'kill') await this.#kill(server, signal);
    else {
      this.#thawing = this.#freeze(server, signal);
      this.#thawing.catch(() => undefined);
    }
  }

  async #kill(server: SoakServer, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    await server.kill();
    // What is on a frozen server notices by its silence alone: its pages are looked at when they had time for that.
    if (this.now > this.#frozenAt + leaveFrozen)
      await this.#compare('after a kill', began, signal, this.findings.rightAfterKill);
    await server.start();
  }

  async #freeze(server: SoakServer, signal: AbortSignal): Promise<void> {
    await this.#frozenGrants.beforeFreeze(server);
    this.#frozenAt = this.now;
    server.freeze();
    await this.#frozenGrants.whileFrozen();
    await wait(freezeSeconds * 1000, undefined, { signal }).catch(() => undefined);
    server.thaw();
    if (signal.aborted) return;
    this.findings.marks.push({ at: this.now, name: 'thaw' });
    const began = performance.now();
    this.findings.goneAfterThaw.push(await this.#frozenGrants.afterThaw());
    await this.#compare('after a thaw', began, signal, this.findings.rightAfterFreeze);
  }

  async #restartDatabase(signal: AbortSignal): Promise<void> {
    const { postgres, servers, owner } = this.#installation;
    const losses = (): number => this.pages.reduce((sum, page) => sum + page.losses, 0);
    const before = losses();
    this.#isQuiet = true;
    const isInformed = (page: SoakPage): boolean => page.storeAwaySince !== null;
    const restarted = postgres.restart(databaseAway * 1000);
    // It answers nobody from its shutdown on, which takes a moment, to the end of this.
    const seen = this.changes.arrived;
    await wait(databaseAway * 1000);
    this.findings.arrivedWithoutDatabase += this.changes.arrived - seen;
    this.findings.uninformedPages += this.pages.filter((page) => !isInformed(page)).length;
    await restarted;
    const began = performance.now();
    await steadyWaits
      .until(
        'every server answers again',
        async () =>
          (
            await Promise.all(
              servers
                .filter(({ isAble }) => isAble)
                .map(({ url }) =>
                  owner
                    .at(url)
                    .send('GET', '/api/team')
                    .then(
                      ({ status }) => status === 200,
                      () => false,
                    ),
                ),
            )
          ).every(Boolean),
        patience,
      )
      .catch(() => undefined);
    this.#isQuiet = false;
    this.findings.lostWithDatabase += losses() - before;
    await this.#compare('after the restart of PostgreSQL', began, signal, this.findings.rightAfterDatabase);
    await steadyWaits
      .until(
        'no page says that the database is away',
        () => signal.aborted || !this.pages.some(isInformed),
        patience,
      )
      .catch(() => undefined);
    if (!signal.aborted) this.findings.uninformedPages += this.pages.filter(isInformed).length;
  }

  /**
   * Holds the changes until every page holds what is true. Of a run that is interrupted meanwhile nothing is noted.
   * @param began of what is measured, as `performance.now()`
   * @param times where it is noted how long that took, s
   */
  async #compare(when: string, began: number, signal: AbortSignal, times: number[] = []): Promise<void> {
    const truth = await this.changes.hold();
    const wrong = (): string | undefined => {
      for (const [index, page] of this.pages.entries()) {
        const difference = page.isLive ? differenceOf(page.statuses(), truth) : 'it has no connection';
        if (difference !== undefined) return `page ${index} ${when}: ${difference}`;
      }
      return undefined;
    };
    await steadyWaits
      .until('every page holds what is true', () => wrong() === undefined || signal.aborted, patience)
      .catch(() => undefined);
    const difference = wrong();
    this.changes.resume();
    if (signal.aborted && difference !== undefined) return;
    this.findings.comparisons += 1;
    if (difference !== undefined) this.findings.stale.push(difference);
    times.push((performance.now() - began) / 1000);
  }

  async #reload(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await wait((stay * 1000) / Math.max(1, this.pages.length), undefined, { signal }).catch(
        () => undefined,
      );
      const page = this.pages[Math.floor(this.#random() * this.pages.length)];
      if (!this.#isQuiet) page?.reload();
    }
  }

  async #sample(signal: AbortSignal): Promise<void> {
    const { memory, latencies } = this.findings;
    while (!signal.aborted) {
      await wait(sampling * 1000, undefined, { signal }).catch(() => undefined);
      const at = this.now;
      for (const [index, server] of this.#installation.servers.entries()) {
        const bytes = await server.resident();
        if (bytes === undefined) continue;
        const key = `${index}/${server.lives}`;
        const points = memory.get(key) ?? [];
        memory.set(key, points);
        points.push({ at, value: bytes / 1024 ** 2 });
      }
      const taken = [...this.changes.takeLatencies()].sort((a, b) => a - b);
      const [p50, p95] = [taken[Math.floor(taken.length / 2)], taken[Math.floor(taken.length * 0.95)]];
      if (p50 === undefined || p95 === undefined) continue;
      latencies.p50.push({ at, value: p50 });
      latencies.p95.push({ at, value: p95 });
      latencies.all.push(...taken);
    }
  }
}
