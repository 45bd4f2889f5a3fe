import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';

/** The company's subscription. */
export interface SubscriptionPort {
  /** Whether the plans are shown to choose from. */
  readonly isChoosing: Cell<boolean>;
}

export const subscriptionPort = createPort<SubscriptionPort>('subscription');

/** The company's subscription. */
export const useSubscription = subscriptionPort.use;
