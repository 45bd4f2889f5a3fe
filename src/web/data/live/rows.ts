import type { Row, ServerMessage } from '../../../contract/live.ts';
import { type LiveRows, RowStore } from '../rows/store.ts';
import type { Subscription, LiveBase, PendingRows } from './base.ts';

/** The known state of one live list. */
export interface LiveList extends LiveBase {
  /** Of one store for as long as the list is known; rows change when they are handed on, not with each message. */
  readonly rows: LiveRows;
  /** Rows that exist in all, where a limit cuts them. */
  readonly total?: number;
}

type ListMessage = Extract<ServerMessage, { readonly type: 'snapshot' | 'changes' }>;

/** A list nothing is known of yet. */
export function unknownList(now: string): LiveList {
  return { rows: new RowStore().rows, complete: false, state: { status: 'loading', since: now } };
}

/** Rows as they were at a time (epoch ms), until the list was read. */
export function recalledList(rows: readonly Row[], at: number): LiveList {
  const { store } = new RowStore().rows;
  store.apply({ rows: new Map(rows.map((row) => [row[0], row])), isWhole: true });
  const since = new Date(at).toISOString();
  return { rows: store.rows, complete: true, state: { status: 'loading', since }, pausedAt: since };
}

const noRows = (isWhole: boolean): PendingRows => ({ rows: new Map(), isWhole });

/** Takes in a part of a snapshot. */
export function applySnapshot(
  subscription: Subscription<LiveList>,
  message: Extract<ListMessage, { readonly type: 'snapshot' }>,
): Subscription<LiveList> {
  const { data: list, seq, kind, pending, incoming } = subscription;
  // Nothing on screen yet: show the rows as they come. Otherwise swap them once they are complete.
  const isFirst = !list.complete;
  const before = isFirst ? pending : incoming;
  const taken = message.reset || before === undefined ? noRows(message.reset) : before;
  for (const row of message.rows) taken.rows.set(row[0], row);
  const { total: _total, pausedAt: _pausedAt, ...rest } = list;
  const total = message.total === undefined ? {} : { total: message.total };
  const data = { ...rest, ...(kind === undefined ? {} : { kind }), ...total };
  const settling = isFirst && list.state.status === 'loading' ? { isSettling: true as const } : {};
  if (message.done)
    return { seq, data: { ...data, complete: true, ...settling }, pending: joined(pending, taken) };
  if (isFirst) return { seq, data, pending: taken };
  return { seq, data: list, incoming: taken, ...(pending && { pending }), ...(kind && { kind }) };
}

/** Merges later row changes over earlier ones. */
function joined(before: PendingRows | undefined, later: PendingRows): PendingRows {
  if (before === undefined || before === later || later.isWhole) return later;
  for (const [uid, row] of later.rows) before.rows.set(uid, row);
  return before;
}

/** Takes in changed and removed rows; before a snapshot is complete they belong to it. */
export function applyChanges(
  subscription: Subscription<LiveList>,
  message: Extract<ListMessage, { readonly type: 'changes' }>,
): Subscription<LiveList> {
  const { data, incoming } = subscription;
  if (incoming !== undefined) {
    for (const uid of message.removes) incoming.rows.delete(uid);
    for (const row of message.upserts) incoming.rows.set(row[0], row);
    return subscription;
  }
  const pending = subscription.pending ?? noRows(false);
  for (const uid of message.removes) pending.rows.set(uid, null);
  for (const row of message.upserts) pending.rows.set(row[0], row);
  return {
    ...subscription,
    pending,
    data: message.total === undefined ? data : { ...data, total: message.total },
  };
}

/** Applies the row changes collected since the last time. The list keeps its identity if no row changed. */
export function settleRows(subscription: Subscription<LiveList>): Subscription<LiveList> {
  const { pending, ...rest } = subscription;
  const { store } = rest.data.rows;
  if (pending === undefined || !store.apply(pending)) return rest;
  return { ...rest, data: { ...rest.data, rows: store.rows } };
}
