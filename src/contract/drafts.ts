import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** Maximum length of a draft in characters. */
export const draftLimit = 1024 * 1024;
/** Maximum number of drafts of a person; the oldest ones are deleted. */
export const draftsLimit = 20;

const params = z.object({ place: z.string().check(z.minLength(1), z.maxLength(500)) });

/** A text that somebody has neither applied nor discarded. */
export const draftSchema = z.object({
  text: z.string(),
  /** The version of the object that the edit began with; null if there was no object. */
  base: z.nullable(z.string()),
  savedAt: z.string(),
});
export type Draft = z.infer<typeof draftSchema>;

/** Drafts of the signed-in person, encrypted in the store. Never of a Secret. */
export const draftEndpoints = {
  draft: endpoint({
    method: 'GET',
    path: '/api/profile/drafts/:place',
    summary: 'The draft of a place (`create`, or the object that is edited), if there is one',
    access: 'member',
    params,
    response: z.object({ draft: z.nullable(draftSchema) }),
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/api/profile/drafts/:place',
    summary:
      'Saves a draft; a text that may contain a Secret is not saved, and the previous draft is deleted',
    access: 'member',
    own: true,
    params,
    // A page saves after each pause in typing.
    perMinute: 120,
    bodyLimit: 4 * draftLimit,
    body: z.strictObject({
      text: z.string().check(z.maxLength(draftLimit, 'This text is too long to be kept as a draft.')),
      base: z._default(z.nullable(z.string().check(z.maxLength(200))), null),
    }),
    response: z.object({
      isKept: z.boolean(),
      /** The draft was not stored, because searching it for a Secret takes too long. */
      isUnread: z.optional(z.boolean()),
    }),
  }),
  deleteDraft: endpoint({
    method: 'DELETE',
    path: '/api/profile/drafts/:place',
    summary: 'Discards a draft, and says whether there was one',
    access: 'member',
    own: true,
    params,
    response: z.object({ wasKept: z.boolean() }),
  }),
} as const;
