import type { Plan } from '../../contract/subscription.ts';
import type { BillingProvider } from './provider.ts';
import type { Clock } from '../kit/clock.ts';

/** Plans are asked for again after this, ms. */
const plansFor = 60_000;

/** The plans that a provider offers, asked for once in a while. */
export class PlanOffer {
  readonly #provider: Pick<BillingProvider, 'plans'>;
  readonly #clock: Clock;
  #plans: { readonly at: number; readonly plans: Promise<readonly Plan[]> } | undefined;

  constructor(provider: Pick<BillingProvider, 'plans'>, clock: Clock) {
    this.#provider = provider;
    this.#clock = clock;
  }

  /** Throws ProviderFailure. */
  async plans(): Promise<readonly Plan[]> {
    if (this.#plans !== undefined && this.#clock.now() - this.#plans.at < plansFor)
      return await this.#plans.plans;
    const asked = { at: this.#clock.now(), plans: this.#provider.plans() };
    this.#plans = asked;
    try {
      return await asked.plans;
    } catch (error) {
      if (this.#plans === asked) this.#plans = undefined;
      throw error;
    }
  }
}
