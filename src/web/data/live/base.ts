import type { ListState, Row } from '../../../contract/live.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { RowsDelta } from '../rows/store.ts';

/** State that all live targets share. */
export interface LiveBase {
  readonly state: ListState;
  /** Whether what is shown is all there is: the last chunk of a snapshot has come. */
  readonly complete: boolean;
  /** Complete, but its server does not follow the changes yet: the first read has just ended. */
  readonly isSettling?: true;
  /** The kind as the server described it, for a kind without a file; its columns are those of the rows. */
  readonly kind?: KindFacts;
  /** When updates stopped because the view was hidden (ISO), until it is complete again. */
  readonly pausedAt?: string;
  /** Why the server ended the subscription, if it did. */
  readonly ended?: { readonly status: number; readonly title: string };
}

/** Row changes of several messages, merged. */
export interface PendingRows extends RowsDelta {
  readonly rows: Map<string, Row | null>;
}

/** The state of a target and of its subscription. */
export interface Subscription<D extends LiveBase> {
  readonly data: D;
  /** Number of the last message. */
  readonly seq: number;
  /** Rows of a snapshot still arriving, while older rows stay on screen. */
  readonly incoming?: PendingRows;
  /** Row changes since they were last handed on. */
  readonly pending?: PendingRows;
  /** The kind of the rows to come, while rows of the kind before stay on screen. */
  readonly kind?: KindFacts;
}
