import type { Clock } from './clock.ts';

/** For whom work is done: a company and a person of it, or what stands for them (signed-out callers, a network). */
export interface ShareOwner {
  readonly company: string;
  readonly person: string;
}

/** How much is worked on at a time, and how much may wait. */
export interface ShareLimits {
  /** Pieces of work of a company that nobody else competes with. */
  readonly alone: number;
  /** Pieces of work of all companies together; each one that has none gets its first beyond it, too. */
  readonly together: number;
  /** How long a company is reckoned with after its last piece of work, ms. */
  readonly recent: number;
  /** Waiting pieces of work of one person, one company and all. */
  readonly waiting: { readonly person: number; readonly company: number; readonly all: number };
}

/** The group whose waiting work is as much as may wait. */
export type Crowd = 'person' | 'company' | 'all';

interface PersonShare {
  running: number;
  /** Work that goes on comes before work that begins. */
  readonly resuming: Set<() => void>;
  readonly beginning: Set<() => void>;
}

interface CompanyShare {
  running: number;
  waiting: number;
  /** Work of another company ended since its own began: it gives way no longer. */
  isDue: boolean;
  /** When a piece of its work was last asked for, began or ended. */
  seenAt: number;
  /** In the order of their turns. */
  readonly people: Map<string, PersonShare>;
}

/** Forgets a person of a company who has no work any more: callers who are signed out are as many as there are networks. */
function forgetIdle({ people }: CompanyShare, person: string, own: PersonShare): void {
  const isIdle = own.running + own.resuming.size + own.beginning.size === 0;
  if (isIdle && people.get(person) === own) people.delete(person);
}

/**
 * Divides work among companies, and what a company gets among its people. One company alone may use everything. As soon
 * as another one is there each has an equal share, at least one piece at a time, which it need not wait for: a company
 * that had more begins nothing until it is down to its share. Between two pieces of its work it lets one end of a company
 * that asks for less than half as much.
 */
export class Shares {
  readonly #limits: ShareLimits;
  readonly #clock: Pick<Clock, 'now'>;
  /** In the order of their turns. */
  readonly #companies = new Map<string, CompanyShare>();
  #running = 0;
  #waiting = 0;

  constructor(limits: ShareLimits, clock: Pick<Clock, 'now'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Pieces of work under way, and those that wait. */
  get size(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** Pieces of work of a company that are under way or wait. */
  demandOf(company: string): number {
    const { running = 0, waiting = 0 } = this.#companies.get(company) ?? {};
    return running + waiting;
  }

  /** The group whose work is as much as may wait; undefined where more of this one's may. */
  crowdOf({ company, person }: ShareOwner): Crowd | undefined {
    const { waiting } = this.#limits;
    const ofCompany = this.#companies.get(company);
    const own = ofCompany?.people.get(person);
    if ((own?.beginning.size ?? 0) >= waiting.person) return 'person';
    if ((ofCompany?.waiting ?? 0) >= waiting.company) return 'company';
    return this.#waiting >= waiting.all ? 'all' : undefined;
  }

  /**
   * Lets work begin, or go on, once `next` gives it its turn.
   * @returns what takes it back out; without effect once it began
   */
  add({ company, person }: ShareOwner, begin: () => void, isResumed = false): () => void {
    const ofCompany = this.#companies.get(company) ?? {
      running: 0,
      waiting: 0,
      isDue: false,
      seenAt: this.#clock.now(),
      people: new Map(),
    };
    this.#companies.set(company, ofCompany);
    const own = ofCompany.people.get(person) ?? { running: 0, resuming: new Set(), beginning: new Set() };
    ofCompany.people.set(person, own);
    const queue = isResumed ? own.resuming : own.beginning;
    queue.add(begin);
    ofCompany.waiting += 1;
    ofCompany.seenAt = this.#clock.now();
    this.#waiting += 1;
    return () => {
      if (!queue.delete(begin)) return;
      ofCompany.waiting -= 1;
      this.#waiting -= 1;
      forgetIdle(ofCompany, person, own);
    };
  }

  /** Says that a piece of work is over, or waits for something else. */
  end({ company, person }: ShareOwner): void {
    const ofCompany = this.#companies.get(company);
    const own = ofCompany?.people.get(person);
    if (ofCompany === undefined || own === undefined) return;
    own.running -= 1;
    ofCompany.running -= 1;
    ofCompany.seenAt = this.#clock.now();
    for (const other of this.#companies.values()) if (other !== ofCompany) other.isDue = true;
    this.#running -= 1;
    forgetIdle(ofCompany, person, own);
  }

  /** Begins one piece of work whose turn it is; false where none may begin. */
  next(): boolean {
    const { alone, together, recent } = this.#limits;
    const now = this.#clock.now();
    let chosen: [string, CompanyShare] | undefined;
    let present = 0;
    for (const [name, company] of this.#companies) {
      if (company.running + company.waiting > 0 || now - company.seenAt < recent) present += 1;
      else this.#companies.delete(name);
    }
    const share = present === 1 ? alone : Math.max(1, Math.floor(together / present));
    for (const [name, company] of this.#companies) {
      if (company.waiting === 0 || company.running >= share) continue;
      if (this.#givesWay(company)) continue;
      if (chosen === undefined || company.running < chosen[1].running) chosen = [name, company];
    }
    if (chosen === undefined) return false;
    const [name, company] = chosen;
    // To the back, for the turn after the others'.
    this.#companies.delete(name);
    this.#companies.set(name, company);
    return this.#begin(company);
  }

  /** Whether work of a company waits until a piece ends of another one, which asks for less than half as much. */
  #givesWay({ running, waiting, isDue }: CompanyShare): boolean {
    if (isDue) return false;
    return this.#companies
      .values()
      .some((other) => other.running > 0 && (other.running + other.waiting) * 2 < running + waiting);
  }

  /** Begins the work of the person of a company who has least under way. */
  #begin(company: CompanyShare): boolean {
    let chosen: [string, PersonShare] | undefined;
    for (const [name, one] of company.people) {
      if (one.resuming.size + one.beginning.size === 0) continue;
      if (chosen === undefined || one.running < chosen[1].running) chosen = [name, one];
    }
    if (chosen === undefined) return false;
    const [name, person] = chosen;
    company.people.delete(name);
    company.people.set(name, person);
    const queue = person.resuming.size > 0 ? person.resuming : person.beginning;
    const [begin] = queue;
    if (begin === undefined) return false;
    queue.delete(begin);
    company.isDue = false;
    company.waiting -= 1;
    this.#waiting -= 1;
    person.running += 1;
    company.running += 1;
    this.#running += 1;
    begin();
    return true;
  }
}
