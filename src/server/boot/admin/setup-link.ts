import { createSetupLink, letFoundByAddress, operatorRow, setupLinkLifetime } from '../../access/accounts.ts';
import { openStore } from '../../store/open.ts';
import { auditRows } from '../../store/schema/audit.ts';
import type { AdminContext } from './context.ts';

/**
 * `setup-link EMAIL`: lets somebody who has an account found one organisation without a link: who signs in by a provider
 * alone has no password to use one with. Throws Problem 404 when nobody has the address, 409
 * where nobody has shown that it is theirs.
 */
export async function letFoundCommand({ config, say }: AdminContext, address: string): Promise<void> {
  const store = await openStore(config);
  try {
    const email = await letFoundByAddress(store, address);
    say(
      `${email} can create one organisation: under Settings, Your organisations, or on the page after signing in.`,
    );
  } finally {
    await store.close();
  }
}

/** `setup-link`: a link by which one person, with an account or without one, may found one organisation. */
export async function setupLinkCommand({ config, say }: AdminContext): Promise<void> {
  const store = await openStore(config);
  try {
    const origin = config.url?.origin ?? `http://${config.host}:${config.port}`;
    const { url } = await createSetupLink(store, origin);
    await store.db.insert(auditRows).values({ ...operatorRow(null, 'setupLink', 0), subject: {} });
    const hours = setupLinkLifetime / 3_600_000;
    say(
      `Give this link to the person who will set up the organisation. It works once, within ${hours} hours:`,
    );
    say(url);
    say(
      'A person who has an account here enters its email address and password, and creates the organisation under Settings, Your organisations.',
    );
    say(
      'A person who signs in only with a provider has no password: npm run admin -- setup-link EMAIL allows it without a link.',
    );
  } finally {
    await store.close();
  }
}
