import type { ReactNode } from 'react';
import type { Entry } from './entries.ts';

/** The content of one level of the palette. */
export interface Content {
  readonly entries: readonly Entry[];
  readonly placeholder: string;
  /** Something more is under way. */
  readonly isPending?: boolean;
  /** The text names an act that changes something, on objects that are under way. */
  readonly isActAwaited?: boolean;
  /** Where something could not be read. */
  readonly notes?: readonly string[];
  /** Said where there is nothing, in place of the usual. */
  readonly empty?: string;
  /** Under the list: what the highlighted choice would change. */
  readonly preview?: ((entry: Entry | undefined) => ReactNode) | undefined;
}
