import { StartError } from '../../kit/start-error.ts';
import { companies } from '../../store/schema/companies.ts';
import type { Store } from '../../store/store.ts';

/** The organisation of a name, or of an id where several have the name. Throws StartError where there is not exactly one. */
export async function companyNamed(
  { db }: Pick<Store, 'db'>,
  company: string,
): Promise<{ readonly id: number; readonly name: string }> {
  const all = await db.select({ id: companies.id, name: companies.name }).from(companies);
  const named = all.filter(({ id, name }) => name === company || String(id) === company);
  const [one] = named;
  if (one === undefined || named.length > 1)
    throw new StartError(
      one === undefined
        ? `There is no organisation "${company}". There are: ${all.map(({ id, name }) => `${name} (${id})`).join(', ')}.`
        : `Several organisations have this name. Give the number of one: ${named.map(({ id }) => id).join(', ')}.`,
    );
  return one;
}
