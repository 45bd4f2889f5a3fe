import { eq } from 'drizzle-orm';
import { StartError } from '../../kit/start-error.ts';
import { setPasskeyHolders } from '../../passkeys/rule.ts';
import { openStore } from '../../store/open.ts';
import { auditRows } from '../../store/schema/audit.ts';
import { clusters } from '../../store/schema/clusters.ts';
import { companies } from '../../store/schema/companies.ts';
import type { Transaction } from '../../store/store.ts';
import type { AdminContext } from './context.ts';
import { companyNamed } from './company-named.ts';

/** Each rule that an organisation may have: how it is lifted, and the sentence after it. */
const rules: Readonly<
  Record<
    string,
    { readonly lift: (tx: Transaction, companyId: number) => Promise<unknown>; readonly done: string }
  >
> = {
  passkeys: {
    lift: (tx, id) => setPasskeyHolders(tx, id, 'nobody'),
    done: 'requires a passkey of nobody any more.',
  },
  'passkeys-at-acts': {
    lift: (tx, id) => tx.update(clusters).set({ isPasskeyRequired: false }).where(eq(clusters.companyId, id)),
    done: 'asks for no passkey at dangerous actions on any of its clusters.',
  },
  'two-approvers': {
    lift: (tx, id) => tx.update(companies).set({ accessApprovers: 1 }).where(eq(companies.id, id)),
    done: 'asks for one approval of temporary access.',
  },
};

/**
 * `lift-rule RULE ORGANISATION`: lifts a rule of an organisation, for where nobody can meet it any more. Throws StartError
 * for an unknown rule or organisation.
 * @param company its name, or its id where several have the name
 */
export async function liftRuleCommand(
  { config, say }: AdminContext,
  name: string,
  company: string,
): Promise<void> {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined)
    throw new StartError(`There is no rule "${name}". There are: ${Object.keys(rules).join(', ')}.`);
  const store = await openStore(config);
  try {
    const one = await companyNamed(store, company);
    await store.db.transaction(async (tx) => {
      await rule.lift(tx, one.id);
      await tx.insert(auditRows).values({
        companyId: one.id,
        actor: 'operator',
        action: 'liftRule',
        subject: { rule: name },
        address: 'console',
        requestId: 'operator',
        finishedAt: new Date().toISOString(),
        status: 200,
      });
      await store.channel.notify('grants', { companyId: one.id }, tx);
    });
    say(`${one.name} ${rule.done}`);
  } finally {
    await store.close();
  }
}
