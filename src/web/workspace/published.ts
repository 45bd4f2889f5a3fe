import type { ObjectRef } from '../../registry/commands/invocation.ts';
import type { RowTarget } from '../../registry/kinds/cell-link.ts';
import type { FocusedList } from '../../registry/commands/services.ts';

/** A list as its view offers it to commands. */
export interface PublishedList extends FocusedList {
  /** The row under the cursor, for `when`. */
  readonly row: () => 'none' | 'plain' | 'opens';
  /** The object under the cursor. */
  readonly rowRef: () => ObjectRef | undefined;
  /** Other objects that the row under the cursor names. */
  readonly rowTargets: () => readonly RowTarget[];
  /** The objects of the selected rows. */
  readonly selection: () => readonly ObjectRef[];
}

/** Values that the mounted views offer to commands, by tab. */
export interface Published<T> {
  publish(tab: string, part: T): () => void;
  of(tab: string): T | undefined;
}

/** An empty collection. */
export function createPublished<T>(): Published<T> {
  const parts = new Map<string, T>();
  return {
    publish: (tab, part) => {
      parts.set(tab, part);
      return () => {
        if (parts.get(tab) === part) parts.delete(tab);
      };
    },
    of: (tab) => parts.get(tab),
  };
}
