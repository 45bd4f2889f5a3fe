import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { teamRoles } from './permissions.ts';
import { nameOfSchema } from './text.ts';

/** A company has at most this many providers. */
export const maxProviders = 5;

const id = z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647));
const params = z.object({ providerId: id });
const groupTeamSchema = z.strictObject({
  /** As the provider's claim names it. */
  group: z.string().check(z.minLength(1, 'Enter the name of a group.'), z.maxLength(256)),
  teamId: z.int().check(z.positive()),
  role: z.union(
    [z.literal(teamRoles.SecretViewer), z.literal(teamRoles.TeamAdmin), z.literal(teamRoles.Viewer)],
    'A role is 3 (SecretViewer), 4 (TeamAdmin) or 6 (Viewer).',
  ),
});

const settings = {
  name: nameOfSchema('Enter a name for the button.'),
  issuer: z.string().check(z.minLength(1, 'Enter the address of the issuer.'), z.maxLength(500)),
  clientId: z.string().check(z.minLength(1, 'Enter the client id.'), z.maxLength(500)),
  groupsClaim: z.nullable(z.string().check(z.minLength(1), z.maxLength(100))),
};

/** A company's provider as its Owners see it. The client secret is never shown again. */
export const companyProviderSchema = z.object({
  id: z.int(),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  groupsClaim: z.nullable(z.string()),
  /** Whether the company's sessions open by its enforced providers alone. */
  isEnforced: z.boolean(),
  /** When somebody signed in by these settings to test them; null since they were changed. */
  testedAt: z.nullable(z.string()),
  /** To be registered at the provider. */
  redirectUri: z.string(),
  /** Where the company's people sign in by it. */
  signInUrl: z.string(),
  groupTeams: z.array(groupTeamSchema),
});
export type CompanyProvider = z.infer<typeof companyProviderSchema>;

/** A provider of the installation that lists its people's groups, as the Owners of a company map them. */
export const installationProviderSchema = z.object({
  key: z.string(),
  label: z.string(),
  groupTeams: z.array(groupTeamSchema),
});
export type InstallationProviderGroups = z.infer<typeof installationProviderSchema>;

const groupTeamsSchema = z.array(groupTeamSchema).check(z.maxLength(200));

/** Identity providers of one company, for its Owners. */
export const providerEndpoints = {
  companyProviders: endpoint({
    method: 'GET',
    path: '/api/organization/providers',
    summary: 'The identity providers of the organisation',
    access: 'owner',
    response: z.array(companyProviderSchema),
  }),
  addProvider: endpoint({
    method: 'POST',
    path: '/api/organization/providers',
    summary: 'Adds an identity provider for this organisation only',
    audited: 'add the identity provider {name|providerId}',
    access: 'owner',
    proof: 'recent',
    perMinute: 30,
    body: z.strictObject({
      ...settings,
      clientSecret: z.string().check(z.minLength(1, 'Enter the client secret.'), z.maxLength(1000)),
    }),
    response: companyProviderSchema,
  }),
  changeProvider: endpoint({
    method: 'PATCH',
    path: '/api/organization/providers/:providerId',
    summary:
      'Changes a provider, its groups, or whether it is enforced; enforcing it needs a test sign-in first',
    audited: 'change the identity provider {name|providerId}',
    access: 'owner',
    proof: 'recent',
    perMinute: 30,
    params,
    body: z.strictObject({
      name: z.optional(settings.name),
      issuer: z.optional(settings.issuer),
      clientId: z.optional(settings.clientId),
      clientSecret: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
      groupsClaim: z.optional(settings.groupsClaim),
      isEnforced: z.optional(z.boolean()),
      groupTeams: z.optional(groupTeamsSchema),
    }),
    response: companyProviderSchema,
  }),
  installationProviders: endpoint({
    method: 'GET',
    path: '/api/organization/installation-providers',
    summary: 'The providers of the installation whose groups can be mapped to teams of the organisation',
    access: 'owner',
    response: z.array(installationProviderSchema),
  }),
  mapInstallationGroups: endpoint({
    method: 'PUT',
    path: '/api/organization/installation-providers/:provider/groups',
    summary: 'Maps groups of a provider of the installation to teams of the organisation',
    audited: 'map groups of {provider} to teams',
    access: 'owner',
    proof: 'recent',
    perMinute: 30,
    params: z.object({ provider: z.string().check(z.maxLength(64)) }),
    body: z.strictObject({ groupTeams: groupTeamsSchema }),
    response: installationProviderSchema,
  }),
  removeProvider: endpoint({
    method: 'DELETE',
    path: '/api/organization/providers/:providerId',
    summary: 'Removes a provider, its sessions, connections, and the team memberships that its groups gave',
    audited: 'remove the identity provider {name|providerId}',
    access: 'owner',
    proof: 'recent',
    params,
    status: 204,
  }),
  testProvider: endpoint({
    method: 'POST',
    path: '/api/organization/providers/:providerId/test',
    summary: 'Starts a test sign-in; the browser continues at the returned url',
    audited: 'test the identity provider {provider|providerId}',
    isRoutine: true,
    access: 'owner',
    perMinute: 30,
    params,
    response: z.object({ url: z.string() }),
  }),
} as const;
