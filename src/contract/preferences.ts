import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/**
 * How single-key, button and menu changes are guarded.
 * - `confirm`: the console asks first
 * - `hold`: the console sends it after a few seconds, unless the person undoes it
 */
export const changeGuards = ['confirm', 'hold'] as const;
const changeGuardSchema = z.enum(changeGuards);
export type ChangeGuard = z.infer<typeof changeGuardSchema>;

const preferencesSchema = z.object({ changes: changeGuardSchema });
export type Preferences = z.infer<typeof preferencesSchema>;

/** A person's preferences, stored on the server. */
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
