import type { Entry } from './entries.ts';
import type { RunTarget } from './pending.ts';

/** The open palette, as its keys reach it. */
export interface ShownPalette {
  move(by: number): void;
  /**
   * Takes what is highlighted; before there is anything, what comes first.
   * @param seen the entries that showed when the key was pressed, if others show now
   */
  take(target: RunTarget, seen?: readonly Entry[]): void;
  /** Applies a key that is pressed before the field has the focus; false once it has. */
  typeAhead(key: string): boolean;
  openActions(): void;
  /** One level back; closes it from the first. */
  back(): void;
  /** The highlighted entry, for `when`: `actions` for an object whose actions may be opened, the caret at the end. */
  entry(): 'none' | 'plain' | 'actions';
}
