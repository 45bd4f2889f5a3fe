import type { ListState, Row, ServerMessage } from '../../../contract/live.ts';

/** What is known of one live list. */
export interface LiveList {
  readonly rows: ReadonlyMap<string, Row>;
  readonly state: ListState;
  /** Whether the rows are all there are: the last chunk of a snapshot has come. */
  readonly complete: boolean;
  /** Rows that exist in all, where a limit cuts them. */
  readonly total?: number;
  /** When the list stopped being kept current because nobody looked (ISO), until a new snapshot is complete. */
  readonly pausedAt?: string;
  /** Why the server ended the subscription, if it did. */
  readonly ended?: { readonly status: number; readonly title: string };
}

/** A list and what its subscription needs to go on. */
export interface Subscription {
  readonly list: LiveList;
  /** Number of the last message. */
  readonly seq: number;
  /** Rows of a snapshot still arriving, while older rows stay on screen. */
  readonly incoming?: ReadonlyMap<string, Row>;
}

export type ListMessage = Extract<
  ServerMessage,
  { readonly type: 'snapshot' | 'changes' | 'state' | 'ended' }
>;

/** A list nothing is known of yet. */
export function unknownList(now: string): LiveList {
  return { rows: new Map(), complete: false, state: { status: 'loading', since: now } };
}

/** The subscription asked for again on a new socket: what is on screen stays until the new snapshot is complete. */
export function renewed(list: LiveList): Subscription {
  const { ended: _ended, ...rest } = list;
  return { seq: 0, list: rest };
}

/**
 * Applies one message. Rows that did not change keep their identity, and so does the map when no row did.
 * Answers 'gap' when a message is missing: the list must be asked for again.
 */
export function applyMessage(subscription: Subscription, message: ListMessage): Subscription | 'gap' {
  if (message.type === 'ended') {
    const { status, title } = message;
    return { seq: subscription.seq, list: { ...subscription.list, ended: { status, title } } };
  }
  if (message.seq <= subscription.seq) return subscription;
  if (message.seq !== subscription.seq + 1) return 'gap';
  const next = { ...subscription, seq: message.seq };
  switch (message.type) {
    case 'snapshot':
      return applySnapshot(next, message);
    case 'changes':
      return applyChanges(next, message);
    case 'state':
      return { ...next, list: { ...next.list, state: message.state } };
    default: {
      const never: never = message;
      return never;
    }
  }
}

function applySnapshot(
  subscription: Subscription,
  message: Extract<ListMessage, { readonly type: 'snapshot' }>,
): Subscription {
  const { list, seq } = subscription;
  const shown = list.rows;
  const base = message.reset ? new Map<string, Row>() : new Map(subscription.incoming ?? shown);
  for (const row of message.rows) base.set(row[0], keepIdentity(shown.get(row[0]), row));
  // Nothing on screen yet: show the rows as they come. Otherwise swap them once they are complete.
  const isFirst = !list.complete;
  const { total: _total, pausedAt: _pausedAt, ...rest } = list;
  const total = message.total === undefined ? {} : { total: message.total };
  if (message.done) {
    const rows = sameRows(shown, base) ? shown : base;
    return { seq, list: { ...rest, ...total, rows, complete: true } };
  }
  return { seq, incoming: base, list: isFirst ? { ...rest, ...total, rows: base } : list };
}

function applyChanges(
  subscription: Subscription,
  message: Extract<ListMessage, { readonly type: 'changes' }>,
): Subscription {
  const { list } = subscription;
  const rows = new Map(list.rows);
  let changed = false;
  for (const uid of message.removes) changed = rows.delete(uid) || changed;
  for (const row of message.upserts) {
    const known = rows.get(row[0]);
    const kept = keepIdentity(known, row);
    if (kept === known) continue;
    rows.set(row[0], kept);
    changed = true;
  }
  const total = message.total === undefined ? {} : { total: message.total };
  return { ...subscription, list: { ...list, ...total, rows: changed ? rows : list.rows } };
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
