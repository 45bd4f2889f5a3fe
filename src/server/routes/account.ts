import { eq } from 'drizzle-orm';
import type { accountEndpoints, User } from '../../contract/account.ts';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { changePassword, createCompany, needsSetup, useSetupLink } from '../access/accounts.ts';
import { checkPassword } from '../access/passwords.ts';
import type { Person } from '../access/person.ts';
import { localPath } from '../access/return-url.ts';
import type { Sessions } from '../access/sessions.ts';
import type { Throttle } from '../access/throttle.ts';
import { describeError } from '../describe-error.ts';
import type { Handlers } from '../http/handlers.ts';
import { networkOf } from '../http/proxies.ts';
import type { Services } from '../services.ts';
import { companies, users } from '../store/schema.ts';

/** What the account's handlers need beside the services. */
export interface AccountParts {
  readonly sessions: Sessions;
  readonly throttle: Throttle;
  /** The time in ms. */
  readonly now: () => number;
}

/** The same for an unknown e-mail address and a wrong password: which of the two is not told. */
const wrongSignIn = 'E-mail address or password is wrong.';

/** Sign-in, set-up and the person's own account. */
export function accountHandlers(
  services: Pick<Services, 'store' | 'onCompanyCreated'>,
  parts: AccountParts,
): Handlers<typeof accountEndpoints> {
  const { store } = services;
  const { sessions, throttle, now } = parts;

  const userOf = async (userId: number): Promise<User> => {
    const [row] = await store.db
      .select({ user: users, company: companies.name })
      .from(users)
      .leftJoin(companies, eq(companies.id, users.companyId))
      .where(eq(users.id, userId));
    if (row === undefined) throw new Problem({ status: 401, title: 'Sign in to continue.' });
    const orgRole = row.user.orgRole === orgRoles.Owner ? orgRoles.Owner : orgRoles.Member;
    return toUser({ ...row.user, orgRole, companyName: row.company ?? '' });
  };

  return {
    isAuthenticated: (_request, { person }) =>
      person === undefined ? { isAuthenticated: false } : { isAuthenticated: true, user: toUser(person) },

    currentUser: (_request, { person }) => toUser(person),

    signInOptions: async () => ({ password: true, needsSetup: await needsSetup(store) }),

    signInPage: ({ query }, { redirect }) => {
      const path = localPath(query.returnUrl);
      redirect(path === undefined ? '/login' : `/login?returnUrl=${encodeURIComponent(path)}`);
      return undefined;
    },

    signIn: async ({ body }, { address, audit, session }) => {
      const attempt = throttle.begin(body.email, networkOf(address));
      const [user] = await store.db.select().from(users).where(eq(users.email, body.email));
      // An e-mail address nobody has stays out of the audit: people type passwords into the wrong field.
      if (user !== undefined) audit.actor(user);
      const fits = await checkPassword(user?.passwordHash ?? null, body.password);
      if (user === undefined || !fits) throw new Problem({ status: 401, title: wrongSignIn });
      attempt.succeeded();
      await session.start(user.id);
      return await userOf(user.id);
    },

    logout: async (_request, { session }) => {
      await session.end();
      return undefined;
    },

    setup: async ({ body }, { audit, session }) => {
      const userId = await useSetupLink(store, body, now());
      audit.actor({ id: userId, companyId: null, email: body.email });
      await session.start(userId);
      return await userOf(userId);
    },

    createCompany: async ({ body }, { person, log, audit }) => {
      const companyId = await createCompany(store, person.id, body.name);
      audit.actor({ ...person, companyId });
      try {
        await services.onCompanyCreated?.({ companyId, userId: person.id });
      } catch (error) {
        // The organisation exists; what was to follow from it is tried again at the next start.
        log.error({ err: describeError(error), companyId }, 'The new organisation could not be furnished');
      }
      return await userOf(person.id);
    },

    changePassword: async ({ body }, { person, address }) => {
      const attempt = throttle.begin(person.email, networkOf(address));
      const [user] = await store.db.select().from(users).where(eq(users.id, person.id));
      if (!(await checkPassword(user?.passwordHash ?? null, body.current))) {
        throw new Problem({ status: 403, title: 'The current password is wrong.' });
      }
      attempt.succeeded();
      await changePassword(store, sessions, person, body.next);
      return undefined;
    },
  };
}

/** A person as the specification's calls give them. The invitation flags are facts: there is no invitation. */
function toUser(person: Omit<Person, 'sessionHash'>): User {
  return {
    id: person.id,
    companyId: person.companyId ?? 0,
    companyName: person.companyName,
    orgRole: person.orgRole,
    name: person.name,
    email: person.email,
    isInviteNotFound: false,
    isInvitePending: false,
    isInviteRejected: false,
    shouldSetupCompany: person.companyId === null,
  };
}
