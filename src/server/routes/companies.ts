import type { Company, companyEndpoints } from '../../contract/companies.ts';
import { currentUser, mayFoundCompany, personAtHome } from '../access/current-user.ts';
import { passkeyOf, refuseClosed } from '../access/enforced.ts';
import type { Handlers } from '../http/handlers.ts';
import { Companies } from '../organisation/companies.ts';
import type { RouteParts } from './parts.ts';

/** The company of the session, and the companies of a person. */
export function companyHandlers({
  config,
  store,
  clock,
  limits,
}: Pick<RouteParts, 'config' | 'store' | 'clock' | 'limits'>): Handlers<typeof companyEndpoints> {
  const companies = new Companies(store, limits);
  const { isSignupOpen } = config;
  return {
    company: (_request, { person }) => companies.one(person),
    changeCompany: async ({ body }, { person, audit }) => {
      audit.subject({ name: body.name, domain: body.domain });
      const settingsOf = ({ name, domain }: Company) => ({ name, domain });
      const before = settingsOf(await companies.one(person));
      const after = await companies.change(person, body);
      audit.changed(before, settingsOf(after));
      return after;
    },
    setKeptRows: async ({ body: { keepsRows } }, { person, audit }) => {
      audit.subject({ keepsRows });
      const before = await companies.one(person);
      const after = await companies.setKeptRows(person, keepsRows);
      audit.changed({ keepsRows: before.keepsRows }, { keepsRows: after.keepsRows });
      return after;
    },
    deleteCompany: async ({ body }, { person, address, requestId, session }) => {
      await companies.delete(person, { typedName: body.name, address, requestId });
      await session.end();
      return undefined;
    },
    ownCompanies: async (_request, { person }) => ({
      companies: await companies.ofPerson(person),
      mayFound: isSignupOpen || (await mayFoundCompany(store.db, person.id)),
    }),
    switchCompany: async ({ body }, { person, audit, session }) => {
      const { companyId } = body;
      await companies.requireOwn(person, companyId);
      audit.actor({ ...person, companyId });
      const next = await personAtHome(store.db, person.id, companyId, passkeyOf(person.sessionHash));
      if (next === undefined || next.companyId === null) {
        return await refuseClosed(store.db, person.id, companyId);
      }
      await session.start(person.id, { companyId, goesOn: true });
      return await currentUser(store.db, next, { isSignupOpen, now: clock.now() });
    },
  };
}
