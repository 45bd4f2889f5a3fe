import type { Row, ServerMessage } from '../../../contract/live.ts';
import { ownRows, replaceRow } from './changed-rows.ts';
import { noteChange } from './lineage.ts';
import type { LiveBase, Subscription } from './subscription.ts';

/** What is known of one live list. */
export interface LiveList extends LiveBase {
  readonly rows: ReadonlyMap<string, Row>;
  /** Rows that exist in all, where a limit cuts them. */
  readonly total?: number;
}

type ListMessage = Extract<ServerMessage, { readonly type: 'snapshot' | 'changes' }>;

/** A list nothing is known of yet. */
export function unknownList(now: string): LiveList {
  return { rows: new Map(), complete: false, state: { status: 'loading', since: now } };
}

/** Applies a part of a snapshot. Rows that did not change keep their identity, and so does the map when no row did. */
export function applySnapshot(
  subscription: Subscription<LiveList>,
  message: Extract<ListMessage, { readonly type: 'snapshot' }>,
): Subscription<LiveList> {
  const { data: list, seq, kind } = subscription;
  const shown = list.rows;
  const base = message.reset ? new Map<string, Row>() : new Map(subscription.incoming ?? shown);
  const came: Row[] = [];
  const gone: Row[] = [];
  for (const row of message.rows) {
    const known = base.get(row[0]);
    const kept = keepIdentity(shown.get(row[0]), row);
    if (kept === known) continue;
    if (known !== undefined) gone.push(known);
    came.push(kept);
    base.set(row[0], kept);
  }
  // Nothing on screen yet: show the rows as they come. Otherwise swap them once they are complete.
  const isFirst = !list.complete;
  if (isFirst && !message.reset) noteChange(base, shown, { came, gone });
  const { total: _total, pausedAt: _pausedAt, ...rest } = list;
  const total = message.total === undefined ? {} : { total: message.total };
  const described = kind === undefined ? {} : { kind };
  if (message.done) {
    const rows = sameRows(shown, base) ? shown : base;
    return { seq, data: { ...rest, ...described, ...total, rows, complete: true } };
  }
  if (isFirst) return { seq, incoming: base, data: { ...rest, ...described, ...total, rows: base } };
  return { seq, incoming: base, data: list, ...described };
}

/** Applies changed and removed rows, in the same way. */
export function applyChanges(
  subscription: Subscription<LiveList>,
  message: Extract<ListMessage, { readonly type: 'changes' }>,
): Subscription<LiveList> {
  const { data: list } = subscription;
  const rows = subscription.own === list.rows ? subscription.own : ownRows(list.rows);
  const came: Row[] = [];
  const gone: Row[] = [];
  for (const uid of message.removes) {
    const known = rows.get(uid);
    if (known === undefined) continue;
    rows.delete(uid);
    gone.push(known);
  }
  for (const row of message.upserts) {
    const known = rows.get(row[0]);
    const kept = keepIdentity(known, row);
    if (kept === known) continue;
    came.push(kept);
    if (known === undefined) rows.set(row[0], kept);
    else {
      gone.push(known);
      replaceRow(rows, kept);
    }
  }
  const changed = came.length > 0 || gone.length > 0;
  if (changed) noteChange(rows, list.rows, { came, gone });
  const total = message.total === undefined ? {} : { total: message.total };
  if (!changed) return { ...subscription, data: { ...list, ...total } };
  return { ...subscription, own: rows, data: { ...list, ...total, rows } };
}

function keepIdentity(known: Row | undefined, row: Row): Row {
  if (known === undefined || known[1].length !== row[1].length) return row;
  return known[1].every((cell, index) => sameCell(cell, row[1][index])) ? known : row;
}

function sameCell(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  return (
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((one, index) => Object.is(one, b[index]))
  );
}

function sameRows(a: ReadonlyMap<string, Row>, b: ReadonlyMap<string, Row>): boolean {
  if (a.size !== b.size) return false;
  for (const [uid, row] of b) if (a.get(uid) !== row) return false;
  return true;
}
