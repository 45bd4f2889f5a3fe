import type { subscriptionEndpoints } from '../../contract/subscription.ts';
import { Problem } from '../../contract/problem.ts';
import { completeFirstLogin } from '../access/current-user.ts';
import { requireMember } from '../http/guard.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Billing } from '../billing/billing.ts';
import { readSubscription } from '../billing/subscription-state.ts';
import type { RouteParts } from './parts.ts';

/** The subscription of a company. */
export function subscriptionHandlers({
  store,
  billing,
  limits,
}: Pick<RouteParts, 'store' | 'billing' | 'limits'>): Handlers<typeof subscriptionEndpoints> {
  const sold = (): Billing => {
    if (billing === undefined)
      throw new Problem({
        status: 409,
        title: 'This console sells no plans, and nothing is limited. The operator configures billing.',
      });
    return billing;
  };
  return {
    subscription: async (_request, { person }) =>
      billing === undefined
        ? await readSubscription({ store, limits }, person.companyId, null)
        : await billing.state(person.companyId),
    plans: async () => (billing === undefined ? [] : [...(await billing.plans())]),
    checkout: async ({ query: { planId, seats = 1 } }, { person, audit, origin }) => {
      const selling = sold();
      await audit.record('checkout', { plan: planId, seats });
      return await selling.openCheckout(person, { planId, seats, origin });
    },
    subscriptionConfig: () => ({ chargebeeSiteName: billing?.site ?? '' }),
    processCallback: async ({ body: { hostedPageId } }, { person }) => {
      await sold().processCallback(requireMember(person).companyId, hostedPageId);
      return undefined;
    },
    firstLoginComplete: async (_request, { person }) => {
      await completeFirstLogin(store.db, person.id);
      return undefined;
    },
    invoices: async (_request, { person }) => await sold().invoices(person.companyId),
    billingPortal: async (_request, { person, origin }) => ({
      url: await sold().openPortal(person.companyId, `${origin}/settings?section=plan`),
    }),
    cancelSubscription: async (_request, { person }) => await sold().cancel(person.companyId),
  };
}
