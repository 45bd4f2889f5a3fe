import type { draftEndpoints } from '../../contract/drafts.ts';
import type { Handlers } from '../http/handlers.ts';
import { Drafts } from '../profile/drafts.ts';
import type { RouteParts } from './parts.ts';

/** Texts that a person has not sent yet. */
export function draftHandlers(
  parts: Pick<RouteParts, 'store' | 'vault' | 'parser'>,
): Handlers<typeof draftEndpoints> {
  const drafts = new Drafts(parts);
  return {
    draft: async ({ params: { place } }, { person, log }) => ({
      draft: await drafts.find(person, place, log),
    }),
    saveDraft: ({ params: { place }, body }, { person, signal }) =>
      drafts.save(person, place, { ...body, signal }),
    deleteDraft: async ({ params: { place } }, { person }) => ({
      wasKept: await drafts.delete(person, place),
    }),
  };
}
