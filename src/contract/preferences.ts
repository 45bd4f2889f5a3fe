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
    summary: 'Preferences of the signed-in person',
    access: 'member',
    response: preferencesSchema,
  }),
  savePreferences: endpoint({
    method: 'PUT',
    path: '/api/profile/preferences',
    summary: 'Changes the preferences of the signed-in person; all their open pages apply them',
    audited: 'change their preferences',
    isRoutine: true,
    access: 'member',
    body: z.strictObject({ changes: changeGuardSchema }),
    response: preferencesSchema,
  }),
} as const;
