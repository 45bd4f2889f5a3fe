import { action } from '../../src/registry/commands/command.ts';

/** The company's subscription. */
export const subscriptionActions = [
  action({
    id: 'subscription.plans',
    title: 'Plan',
    group: 'Account',
    icon: 'plan',
    keywords: ['subscription', 'subscribe', 'upgrade', 'checkout', 'buy', 'price', 'seats', 'billing', 'pro'],
    // Not for Owners alone: whoever is none learns who can choose one.
    when: { shell: 'app', billing: 'on' },
    places: ['user-menu'],
    run: (_, { subscription }) => subscription.showPlans(),
  }),
];
