import type { Member } from '../access/person.ts';
import type { Store, Transaction } from '../store/store.ts';

/** Changes what people of a company may do, and tells every server with the commit: both or neither. */
export async function changeGrants<T>(
  store: Pick<Store, 'db' | 'channel'>,
  person: Pick<Member, 'companyId'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return await store.db.transaction(async (tx) => {
    const result = await work(tx);
    await store.channel.notify('grants', { companyId: person.companyId }, tx);
    return result;
  });
}
