import { queryOptions } from '@tanstack/react-query';
import type { Services } from '../../../registry/commands/services.ts';
import type { DataPort } from '../../data/port.ts';

/** A text as it is kept. */
export interface StoredDraft {
  readonly text: string;
  readonly base: string | null;
  /** The server could not keep it: it is tried again when its place is next opened. */
  readonly isOnlyHere?: boolean;
}

/** Under which key of the query cache it is; without a place, all of a person. */
export const unsentKey = (userId: number, ...place: readonly string[]) =>
  ['unsent', userId, ...place] as const;

interface DraftParts {
  readonly api: Pick<DataPort['api'], 'draft'>;
  readonly log: Services['log'];
  readonly userId: number;
  /** As `editPlace` gives it, or `create`. */
  readonly place: string;
}

/** The draft that is kept of a place; null if there is none. */
export const draftQuery = ({ api, log, userId, place }: DraftParts) =>
  queryOptions({
    queryKey: unsentKey(userId, place),
    gcTime: Number.POSITIVE_INFINITY,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
    queryFn: async ({ signal }): Promise<StoredDraft | null> => {
      try {
        const { draft } = await api.draft({ params: { place } }, { signal });
        return draft === null ? null : { text: draft.text, base: draft.base };
      } catch (error) {
        // Somebody types already: what they type is the draft.
        if (signal.aborted) throw error;
        log('The draft could not be read.', error);
        return null;
      }
    },
  });
