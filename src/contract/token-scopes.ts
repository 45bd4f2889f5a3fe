import { permissionNamed, permissions } from './permissions.ts';

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

const namedScopeSet: ReadonlySet<string> = new Set(namedScopes);

/** The scope that a text names, a permission in any of its spellings. Undefined for what is none. */
export function scopeNamed(text: string): TokenScope | undefined {
  return namedScopeSet.has(text) ? (text as NamedScope) : permissionNamed(text);
}
