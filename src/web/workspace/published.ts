import type { ObjectRef } from '../../registry/command.ts';
import type { FocusedList } from '../../registry/services.ts';

/** A list as its view offers it to commands. */
export interface PublishedList extends FocusedList {
  /** The row under the cursor, for `when`. */
  readonly row: () => 'none' | 'plain' | 'opens';
  /** The object under the cursor. */
  readonly rowRef: () => ObjectRef | undefined;
  /** The objects of the selected rows. */
  readonly selection: () => readonly ObjectRef[];
}

/** The lists of the mounted views, by tab. */
export interface PublishedLists {
  publish(tab: string, list: PublishedList): () => void;
  of(tab: string): PublishedList | undefined;
}

/** An empty collection. */
export function createPublishedLists(): PublishedLists {
  const lists = new Map<string, PublishedList>();
  return {
    publish: (tab, list) => {
      lists.set(tab, list);
      return () => {
        if (lists.get(tab) === list) lists.delete(tab);
      };
    },
    of: (tab) => lists.get(tab),
  };
}
