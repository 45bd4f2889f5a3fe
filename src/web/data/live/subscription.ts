import type { ServerMessage } from '../../../contract/live.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { applyDashboard, unknownDashboard } from './dashboard.ts';
import { applyObject, unknownObject } from './object.ts';
import { applyChanges, applySnapshot, type LiveList, settleRows, unknownList } from './rows.ts';
import type { PendingRows, LiveBase, Subscription } from './base.ts';
import { applyTallies, unknownTallies } from './tallies.ts';
import type { LiveData, Target } from './targets.ts';

/** A message that belongs to a subscription. */
export type SubscriptionMessage = Extract<ServerMessage, { readonly id: number }>;

/** The initial data of a target, before any message. */
export function unknownData(target: Target, now: string): LiveData {
  if (target.type === 'object') return unknownObject(now);
  if (target.type === 'tallies') return unknownTallies(now);
  return target.type === 'dashboard' ? unknownDashboard(now) : unknownList(now);
}

/** The subscription asked for again on a new socket: what is on screen stays until there is something newer. */
export function renewed<D extends LiveBase>(data: D, pending?: PendingRows): Subscription<D> {
  const known = pending === undefined ? {} : { pending };
  if (data.ended === undefined) return { seq: 0, data, ...known };
  const { ended: _ended, ...rest } = data;
  // The same data without its end: `ended` is optional in every D.
  return { seq: 0, data: rest as D, ...known };
}

/** The subscription with the collected messages applied, ready to be handed on. */
export function settled(subscription: Subscription<LiveData>): Subscription<LiveData> {
  return subscription.pending === undefined
    ? subscription
    : settleRows(subscription as Subscription<LiveList>);
}

/**
 * Applies one message. What did not change keeps its identity; rows change when the subscription is `settled`. Answers
 * 'gap' when a message is missing: the target must be asked for again.
 */
export function applyMessage<D extends LiveData>(
  subscription: Subscription<D>,
  message: SubscriptionMessage,
): Subscription<D> | 'gap' {
  if (message.type === 'ended') {
    const { status, title } = message;
    return { seq: subscription.seq, data: { ...subscription.data, ended: { status, title } } };
  }
  if (message.seq <= subscription.seq) return subscription;
  if (message.seq !== subscription.seq + 1) return 'gap';
  const next: Subscription<LiveData> = { ...subscription, seq: message.seq };
  // The server answers each sort of subscription with its own messages.
  return content(next, message) as Subscription<D>;
}

function withoutSettling<D extends LiveBase>(data: D): D {
  const { isSettling: _isSettling, ...rest } = data;
  // The same data without it: it is optional in every D.
  return rest as D;
}

function content(
  next: Subscription<LiveData>,
  message: Exclude<SubscriptionMessage, { readonly type: 'ended' }>,
): Subscription<LiveData> {
  switch (message.type) {
    case 'state':
      return { ...next, data: { ...withoutSettling(next.data), state: message.state } };
    case 'kind': {
      // The server sends the facts of the registry whole.
      const kind = message.kind as unknown as KindFacts;
      const hasRows = 'rows' in next.data && next.data.rows.size > 0;
      return hasRows ? { ...next, kind } : { ...next, data: { ...next.data, kind } };
    }
    case 'snapshot':
      return applySnapshot(next as Subscription<LiveList>, message);
    case 'changes':
      return applyChanges(next as Subscription<LiveList>, message);
    case 'object':
    case 'surroundings':
    case 'gone':
      return { seq: next.seq, data: applyObject(next.data, message) };
    case 'tallies':
      return { seq: next.seq, data: applyTallies(next.data, message) };
    case 'dashboard':
      return { seq: next.seq, data: applyDashboard(next.data, message) };
    default: {
      const never: never = message;
      return never;
    }
  }
}
