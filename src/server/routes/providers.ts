import { Problem } from '../../contract/problem.ts';
import type { CompanyProvider, providerEndpoints } from '../../contract/providers.ts';
import type { SignInFailure } from '../../contract/sign-in.ts';
import type { Member } from '../access/person.ts';
import type { Context, Handlers } from '../http/handlers.ts';
import { SignInFault } from '../identity/client.ts';
import { CompanyProviders } from '../identity/company-providers.ts';
import { InstallationGroups } from '../identity/group-mapping.ts';
import type { Beginning, SignIns } from '../identity/sign-ins.ts';
import { describeError } from '../kit/describe-error.ts';
import type { RouteParts } from './parts.ts';

/** The identity providers of a company. */
export function providerHandlers({
  store,
  vault,
  signIns,
  providers: { installation },
}: Pick<RouteParts, 'store' | 'vault' | 'providers' | 'signIns'>): Handlers<typeof providerEndpoints> {
  const providers = new CompanyProviders(store, vault);
  const groups = new InstallationGroups(store, installation);
  const one = async (person: Member, id: number, origin: string) => {
    const found = (await providers.list(person, origin)).find((each) => each.id === id);
    if (found === undefined)
      throw new Problem({ status: 404, title: 'Your organisation has no such provider.' });
    return found;
  };
  return {
    companyProviders: (_request, { person, origin }) => providers.list(person, origin),
    addProvider: async ({ body }, { person, origin, audit }) => {
      const providerId = await providers.add(person, body);
      audit.subject({ providerId, name: body.name });
      return await one(person, providerId, origin);
    },
    changeProvider: async ({ params, body }, { person, origin, audit }) => {
      audit.subject({ changed: Object.keys(body).sort().join(' ') });
      const before = await one(person, params.providerId, origin);
      audit.subject({ name: before.name });
      await providers.change(person, params.providerId, body);
      const after = await one(person, params.providerId, origin);
      audit.changed(settingsOf(before), settingsOf(after));
      return after;
    },
    installationProviders: (_request, { person }) => groups.list(person),
    mapInstallationGroups: async ({ params, body }, { person, audit }) => {
      audit.subject({ provider: params.provider, groups: body.groupTeams.length });
      const before = (await groups.list(person)).find(({ key }) => key === params.provider);
      const after = await groups.map(person, params.provider, body.groupTeams);
      audit.changed(
        { groupTeams: groupsText(before?.groupTeams ?? []) },
        { groupTeams: groupsText(after.groupTeams) },
      );
      return after;
    },
    removeProvider: async ({ params }, { person, origin, audit }) => {
      audit.subject({ name: (await one(person, params.providerId, origin)).name });
      await providers.remove(person, params.providerId);
      return undefined;
    },
    testProvider: async ({ params }, context) => {
      const { person } = context;
      const provider = await providers.keyOf(person, params.providerId);
      const returnUrl = '/settings?section=company-sign-in';
      return await leaveFor(signIns, { purpose: 'test', provider, returnUrl, by: person }, context);
    },
  };
}

/** What the audit tells of a provider; its secret is not among what people see of it. */
function settingsOf({ name, issuer, clientId, groupsClaim, isEnforced, groupTeams }: CompanyProvider) {
  return { name, issuer, clientId, groupsClaim, isEnforced, groupTeams: groupsText(groupTeams) };
}

/** What groups give, as the audit tells it. */
function groupsText(groupTeams: CompanyProvider['groupTeams']): string {
  return groupTeams.map(({ group, teamId, role }) => `${group} → ${teamId} (${role})`).join(', ');
}

/** The failure as the page says it; what is no choice of the person is logged with its cause. */
export function failureOf(error: unknown, log: Context['log']): SignInFailure {
  if (!(error instanceof SignInFault)) {
    log.error({ err: describeError(error) }, 'A sign-in at a provider failed');
    return 'failed';
  }
  const { failure, cause } = error;
  if (cause !== undefined)
    log.warn({ err: describeError(cause), failure }, 'An identity provider did not sign somebody in');
  return failure;
}

/**
 * Where a browser goes that leaves for a provider, with the cookie that it takes along. Throws Problem 502, which is the
 * same whatever failed there.
 */
export async function leaveFor(
  signIns: SignIns,
  asked: Pick<Beginning, 'purpose' | 'provider' | 'returnUrl' | 'by'>,
  { origin, signInBrowser, log }: Pick<Context, 'origin' | 'signInBrowser' | 'log'>,
): Promise<{ readonly url: string }> {
  try {
    const { url, browser } = await signIns.begin({ ...asked, origin, browser: signInBrowser.value });
    signInBrowser.set(browser);
    return { url };
  } catch (error) {
    failureOf(error, log);
    throw new Problem({
      status: 502,
      title:
        'The identity provider did not answer, or sent something that this console cannot use. Try again in a few minutes; if it happens again, ask the operator of this console, whose log has the details.',
      retryable: true,
    });
  }
}
