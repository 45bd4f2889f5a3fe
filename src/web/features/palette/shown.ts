import type { RunTarget } from './pending.ts';

/** The open palette, as its keys reach it. */
export interface ShownPalette {
  move(by: number): void;
  /** Takes what is highlighted; before there is anything, what comes first. */
  take(target: RunTarget): void;
  openActions(): void;
  /** One level back; closes it from the first. */
  back(): void;
  /** The highlighted entry, for `when`: `actions` for an object whose actions may be opened, the caret at the end. */
  entry(): 'none' | 'plain' | 'actions';
}
