import type { Subscription } from '../../../contract/subscription.ts';
import { counted } from '../../../registry/counted.ts';

/** What adding something means to the plan, said before it is added. */
export interface LimitText {
  readonly tone: 'info' | 'warn';
  readonly text: string;
  /** Nothing more can be added: another plan, or more seats, would change that. */
  readonly isReached: boolean;
}

/** How much of an allowance is used: “4 of 5”, or “4” where any number is allowed. */
export const usedText = ({ used, allowed }: { readonly used: number; readonly allowed: number | null }) =>
  allowed === null ? String(used) : `${used} of ${allowed}`;

/** Days in words; without a number for ever. */
export const daysText = (days: number | null): string => (days === null ? 'for ever' : counted(days, 'day'));

/** A day as the browser writes it. @param at ISO */
export const dayText = (at: string): string =>
  new Date(at).toLocaleDateString(undefined, { dateStyle: 'long' });

/** Who the Owners of the company are, as a sentence. @param owners their names, at least one */
function ownersText(owners: readonly string[]): string {
  const names = new Intl.ListFormat('en', { type: 'conjunction' }).format(owners);
  return owners.length === 1 ? `Its Owner is ${names}.` : `Its Owners are ${names}.`;
}

/** Who can choose a plan, to somebody who cannot. @param owners as far as they are known */
export const whoChooses = (owners: readonly string[]): string =>
  `Only an Owner of your organisation can choose a plan.${owners.length === 0 ? '' : ` ${ownersText(owners)}`}`;

/** What the state of a plan means for the organisation; undefined where there is nothing to say. */
export function planStateText({ state, endsAt }: NonNullable<Subscription['plan']>): string | undefined {
  const on = endsAt === null ? '' : ` on ${dayText(endsAt)}`;
  if (state === 'ending')
    return `It is cancelled and runs until it ends${on}. Everything that exists then keeps working, but nobody can be invited and no cluster can be added.`;
  if (state === 'ended')
    return `It ended${on}. Everything that exists keeps working; nobody can be invited and no cluster can be added until you choose a plan.`;
  return undefined;
}

/** What limits do, at the head of their list: after a plan ended nothing can be added, however much is free. */
export const limitsLead = (plan: Subscription['plan']): string =>
  plan?.state === 'ended'
    ? 'The plan has ended: nothing can be added until an Owner chooses one, even below the limits. Everything that exists keeps working.'
    : 'A limit only stops you from adding more: everything that exists keeps working, even when the plan ends.';

/** What each sort of thing is called, and what else a sentence about it needs. */
const sorts = {
  seats: {
    one: 'seat',
    used: ['is taken', 'are taken'],
    stopped: 'nobody can be invited',
    act: 'invite somebody',
    less: 'remove somebody',
    more: 'more seats',
  },
  clusters: {
    one: 'cluster',
    used: ['is used', 'are used'],
    stopped: 'no cluster can be added',
    act: 'add one',
    less: 'delete one',
    more: 'another plan',
  },
} as const;

/** What can be added within a plan. */
export type LimitedSort = keyof typeof sorts;

/**
 * What a plan says about adding a member or a cluster; undefined where it limits nothing. It is said before somebody adds
 * one. Nothing that is there is ever taken away.
 */
export function limitText(
  { isConfigured, plan, ...of }: Subscription,
  sort: LimitedSort,
): LimitText | undefined {
  if (!isConfigured) return undefined;
  const { used, allowed } = of[sort];
  const words = sorts[sort];
  if (plan?.state === 'ended') {
    const since = plan.endsAt === null ? '' : ` on ${dayText(plan.endsAt)}`;
    return {
      tone: 'warn',
      text: `The plan ended${since}: ${words.stopped} until an Owner chooses one. Everything that exists keeps working.`,
      isReached: true,
    };
  }
  if (allowed === null) return undefined;
  const does = words.used[used === 1 ? 0 : 1];
  const said =
    plan === null
      ? `Without a plan an organisation has up to ${counted(allowed, words.one)}: ${used} ${does}.`
      : `${used} of ${counted(allowed, words.one)} ${does}.`;
  if (used < allowed) return { tone: 'info', text: said, isReached: false };
  const more = plan === null ? 'a plan' : words.more;
  return {
    tone: 'warn',
    text: `${said} To ${words.act}, choose ${more} or ${words.less}.`,
    isReached: true,
  };
}

/** For how long the audit may be set to be kept, as a further sentence; undefined where nothing limits it. */
export function retentionText({ isConfigured, plan, retention }: Subscription): string | undefined {
  if (!isConfigured || retention.allowed === null) return undefined;
  const days = daysText(retention.allowed);
  return plan === null
    ? ` Without a plan it cannot be set to more than ${days}.`
    : ` The plan allows no more than ${days}.`;
}
