import { resetMinutes } from '../../../contract/reset.ts';
import { recordOperator } from '../../access/accounts.ts';
import { ResetLinks, resetUrl } from '../../access/reset-links.ts';
import { openStore } from '../../store/open.ts';
import type { AdminContext } from './context.ts';
import { systemClock } from '../../kit/clock.ts';

/** `reset-link EMAIL`: a link by which a person chooses a new password. Throws Problem 404 when nobody has this address. */
export async function resetLinkCommand({ config, say }: AdminContext, email: string): Promise<void> {
  const store = await openStore(config);
  try {
    const { token, userId } = await new ResetLinks(store, systemClock).makeForAddress(email);
    await store.db.transaction((tx) => recordOperator(tx, 'resetLink', userId));
    const origin = config.url?.origin ?? `http://${config.host}:${config.port}`;
    say(`Give this link to ${email}; it works once, within ${resetMinutes} minutes:`);
    say(resetUrl(origin, token));
  } finally {
    await store.close();
  }
}
