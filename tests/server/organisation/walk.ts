import { expect, it } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import { SignInFault } from '../../../src/server/identity/client.ts';
import { chance, isFull, rounds, seed } from '../../prove.ts';

/** Whether something was done; a Problem or a SignInFault says that it was refused. */
export async function isDone(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Problem || error instanceof SignInFault) return false;
    throw error;
  }
}

/** A step of a walk: does something, and expects what the walk believes of it. */
export type Step = () => Promise<void>;

/** How a walk goes. */
export interface Way {
  readonly length: number;
  /** Steps that come more often than the others, each once for each time that it is named. */
  readonly often: readonly string[];
  /** Compares what the walk believes with what is, after each step. */
  readonly check?: () => Promise<void>;
}

/** One walk at random through what people may do, and what it has done so far. */
export class Walk {
  readonly random: () => number;
  readonly #path: string[] = [];
  /** What the walks of a test have come to. */
  readonly #reached: Set<string>;

  constructor(random: () => number, reached: Set<string>) {
    this.random = random;
    this.#reached = reached;
  }

  /** Notes that the walk came to something that the test has to have seen. */
  reaches(what: string): void {
    this.#reached.add(what);
  }

  /** One of them; undefined of none. */
  one<T>(of: readonly T[]): T | undefined {
    return of[Math.floor(this.random() * of.length)];
  }

  /** What was done, for the message of a failure. */
  get told(): string {
    return this.#path.join(', ');
  }

  /** Expects that something is done or refused. */
  async expects(may: boolean, work: () => Promise<unknown>): Promise<boolean> {
    const done = await isDone(work);
    expect(done, this.told).toBe(may);
    return done;
  }

  /** Takes steps at random. */
  async go(steps: Readonly<Record<string, Step>>, { length, often, check }: Way): Promise<void> {
    const names = [...Object.keys(steps), ...often];
    for (let step = 0; step < length; step += 1) {
      const name = this.one(names) ?? '';
      this.#path.push(name);
      await steps[name]?.();
      await check?.();
    }
  }
}

/** Walks at a time. */
const strands = 4;

/**
 * Declares a test of as many walks, each in companies of its own: some at a time, each strand with a chance of its own.
 * @param goals what the walks together have to come to: a proof that never goes there proves nothing of it
 */
export function provesByWalks(
  title: string,
  { walks, goals = [] }: { readonly walks: number; readonly goals?: readonly string[] },
  walk: (walk: Walk) => Promise<void>,
): void {
  it(
    title,
    async () => {
      const reached = new Set<string>();
      let done = 0;
      const strand = async (index: number) => {
        const random = chance(seed + index);
        for (let number = index; number < walks; number += strands) {
          await walk(new Walk(random, reached));
          done += 1;
          if (isFull && done % 50 === 0) process.stdout.write(`${done} of ${walks} walks\n`);
        }
      };
      await Promise.all(Array.from({ length: strands }, (_, index) => strand(index)));
      expect(goals.filter((goal) => !reached.has(goal))).toEqual([]);
    },
    rounds(120_000, 7_200_000),
  );
}
