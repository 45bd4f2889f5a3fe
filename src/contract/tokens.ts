import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { nameOfSchema } from './text.ts';
import { spelled } from './permission-names.ts';
import { scopeNamed, tokenScopes } from './token-scopes.ts';

/** How long a token lives if nobody says otherwise, in days. */
export const tokenDays = 90;
/** The longest that a token may live, in days. */
export const tokenDaysLimit = 366;
/** How many tokens a person may have in one company. */
export const tokensLimit = 50;

const id = z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647));
const tokenParams = z.object({ tokenId: id });
const scopesSchema = z.array(z.enum(tokenScopes));

/** An API token as it is listed: never the token itself. */
export const apiTokenSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    /** What it may do at most, sorted as the contract lists them. */
    scopes: scopesSchema,
    /** The clusters that it is limited to, by name as far as its person reaches them; null for all. */
    clusters: z.nullable(z.array(z.object({ id: z.int(), name: z.string() }))),
    createdAt: z.string(),
    expiresAt: z.string(),
    isExpired: z.boolean(),
    /** To the minute; null before the first use. */
    lastUsedAt: z.nullable(z.string()),
    /** Network address of the last use; empty before the first. */
    lastUsedAddress: z.string(),
  })
  .register(z.globalRegistry, { id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiTokenSchema>;

/** A token of somebody of the company, as its Owners see it. */
export const memberTokenSchema = z.extend(apiTokenSchema, {
  userId: z.int(),
  userName: z.string(),
  email: z.string(),
});
export type MemberToken = z.infer<typeof memberTokenSchema>;

/** Personal API tokens. Each belongs to one person in one company; none of these calls takes a token itself. */
export const tokenEndpoints = {
  ownTokens: endpoint({
    method: 'GET',
    path: '/api/profile/tokens',
    summary: 'The caller’s API tokens in this organisation, newest first, without the tokens themselves',
    access: 'member',
    response: z.array(apiTokenSchema),
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/api/profile/tokens',
    summary: 'Creates an API token. The answer is the only time that it is shown',
    audited: 'create the API token {name}[ with the scopes {scopes}][ for {expiresInDays} days]',
    access: 'member',
    proof: 'recent',
    perMinute: 20,
    body: z.strictObject({
      name: nameOfSchema('Enter a name for the token.'),
      scopes: z
        .array(spelled(scopeNamed, 'There is no such scope.'))
        .check(z.minLength(1, 'Choose what the token may do.'), z.maxLength(100)),
      /** Limits it to these clusters; null for every cluster that its person reaches. */
      clusterIds: z._default(z.nullable(z.array(id).check(z.minLength(1), z.maxLength(500))), null),
      expiresInDays: z._default(z.int().check(z.minimum(1), z.maximum(tokenDaysLimit)), tokenDays),
    }),
    status: 201,
    response: z.object({
      made: apiTokenSchema,
      /** `whp_…`: nobody can read it again. */
      secret: z.string(),
    }),
  }),
  revokeToken: endpoint({
    method: 'DELETE',
    path: '/api/profile/tokens/:tokenId',
    summary: 'Revokes one of the caller’s API tokens, and ends everything that it has open',
    audited: 'revoke their API token {name|tokenId}',
    access: 'member',
    params: tokenParams,
    status: 204,
  }),
  memberTokens: endpoint({
    method: 'GET',
    path: '/api/organization/tokens',
    summary: 'The API tokens of the people of the organisation, newest first',
    access: 'owner',
    response: z.array(memberTokenSchema),
  }),
  revokeMemberToken: endpoint({
    method: 'DELETE',
    path: '/api/organization/tokens/:tokenId',
    summary: 'Revokes an API token of a person of the organisation, and ends everything that it has open',
    audited: 'revoke the API token {name|tokenId}[ of {email}]',
    access: 'owner',
    proof: 'recent',
    params: tokenParams,
    status: 204,
  }),
} as const;
