import { permissions } from './permissions.ts';

/**
 * What no permission alone lets an API token do: it has to be ticked by its name, and the permission is needed besides.
 * - `secrets.reveal`: to see values of Secrets
 * - `shells.open`: to open a shell in a container, or attach to it
 */
export const namedScopes = ['secrets.reveal', 'shells.open'] as const;
export type NamedScope = (typeof namedScopes)[number];

/** Everything that an API token can be made for. */
export const tokenScopes = [...permissions, ...namedScopes] as const;
export type TokenScope = (typeof tokenScopes)[number];
