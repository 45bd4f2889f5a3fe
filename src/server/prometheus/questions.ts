import { Problem } from '../../contract/problem.ts';
import { askingPerson } from '../clusters/on-behalf.ts';
import { createLimiter, type Limiter } from '../kit/limiter.ts';
import { askPrometheus, type Question, type SourceAccess } from './ask.ts';
import { SourceProblem } from './source-problem.ts';
import type { Clock } from '../kit/clock.ts';

/** Questions to the Prometheus of one cluster that run at a time: the others wait. */
const questionsAtOnce = 4;
/** Questions of one person that run or wait for one cluster at most; a history is two of them, or five. */
const questionsOfPerson = 40;
/** A source that was out of reach is not asked again for this time, ms. */
const restMs = 15_000;

/** The questions to the Prometheuses of clusters: bounded for each person, and none to one that just was out of reach. */
export class Questions {
  readonly #clock: Clock;
  readonly #limiters = new Map<number, Limiter>();
  /** Questions that run or wait, by cluster and person. */
  readonly #pending = new Map<string, number>();
  /** Sources that were out of reach, by key. */
  readonly #resting = new Map<string, { readonly until: number; readonly problem: SourceProblem }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Asks one question when its turn comes. Throws SourceProblem, Problem 429 where the person has too many, and
   * the signal's reason where it is aborted while it waits.
   * @param key of the source, with its credential
   */
  async ask(way: SourceAccess, key: string, question: Question, signal?: AbortSignal): Promise<unknown> {
    const person = askingPerson();
    const whose = `${way.clusterId} ${person ?? ''}`;
    const pending = this.#pending.get(whose) ?? 0;
    if (pending >= questionsOfPerson)
      throw new Problem({
        status: 429,
        title: `You asked the Prometheus of ${way.cluster} for too much at once. Wait until the other charts are shown, then try again.`,
      });
    this.#pending.set(whose, pending + 1);
    try {
      return await this.#limiterOf(way.clusterId).run(
        async () => {
          this.#requireRested(key);
          return await this.#asked(way, key, question);
        },
        signal,
        person,
      );
    } finally {
      const left = (this.#pending.get(whose) ?? 1) - 1;
      if (left > 0) this.#pending.set(whose, left);
      else this.#pending.delete(whose);
    }
  }

  /** Throws why a source was out of reach a moment ago. */
  #requireRested(key: string): void {
    const resting = this.#resting.get(key);
    if (resting === undefined) return;
    if (this.#clock.now() < resting.until) throw resting.problem;
    this.#resting.delete(key);
  }

  async #asked(way: SourceAccess, key: string, question: Question): Promise<unknown> {
    try {
      return await askPrometheus(way, question);
    } catch (error) {
      if (error instanceof SourceProblem && error.status === 'unreachable') {
        for (const [one, { until }] of this.#resting)
          if (until <= this.#clock.now()) this.#resting.delete(one);
        this.#resting.set(key, { until: this.#clock.now() + restMs, problem: error });
      }
      throw error;
    }
  }

  #limiterOf(id: number): Limiter {
    const known = this.#limiters.get(id) ?? createLimiter(questionsAtOnce);
    this.#limiters.set(id, known);
    return known;
  }
}
