import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/**
 * What becomes of a change that somebody asks for by a single key, button or entry of a menu.
 * - `confirm`: it is asked first
 * - `hold`: it is sent after a few seconds, unless it is undone before
 */
export const changeGuards = ['confirm', 'hold'] as const;
const changeGuardSchema = z.enum(changeGuards);
export type ChangeGuard = z.infer<typeof changeGuardSchema>;

const preferencesSchema = z.object({ changes: changeGuardSchema });
export type Preferences = z.infer<typeof preferencesSchema>;

/** How a person likes to work, kept for them on the server. */
export const preferencesEndpoints = {
  preferences: endpoint({
    method: 'GET',
    path: '/api/profile/preferences',
    summary: 'How the signed-in person likes to work',
    access: 'member',
    response: preferencesSchema,
  }),
  savePreferences: endpoint({
    method: 'PUT',
    path: '/api/profile/preferences',
    summary: 'Changes how the signed-in person likes to work; every open page of theirs follows',
    access: 'member',
    body: z.strictObject({ changes: changeGuardSchema }),
    response: preferencesSchema,
  }),
} as const;
