import { lookup } from 'node:dns/promises';
import { eq, isNotNull } from 'drizzle-orm';
import type { Logger } from 'pino';
import { createAddressGuard, type Resolver } from '../clusters/address.ts';
import type { Config } from '../kit/config.ts';
import { describeError } from '../kit/describe-error.ts';
import { clusters } from '../store/schema/clusters.ts';
import { identityProviders } from '../store/schema/identities.ts';
import type { Store } from '../store/store.ts';

/** The settings that list addresses, of clusters and of what once went by their list. */
type Lists = Pick<Config, 'allowCidrs' | 'issuerCidrs' | 'metricsSourceCidrs'>;

/** An address that was in use before its sort had an allow list of its own. */
interface CarriedOver {
  readonly url: string;
  /** The thing that it is the address of, the subject of a sentence. */
  readonly subject: string;
  readonly setting: string;
  readonly cidrs: readonly string[];
  readonly forget: () => Promise<unknown>;
}

/**
 * Says which addresses of issuers and metrics sources are reached by the allow list of clusters alone, because they were
 * in use before these had lists of their own, and forgets the exception of those that need none. A name that cannot be
 * resolved now keeps its exception. Never throws.
 */
export async function reviewCarriedOver(
  { db }: Pick<Store, 'db'>,
  lists: Lists,
  log: Logger,
  resolve: Resolver = (name) => lookup(name, { all: true, verbatim: true }),
): Promise<void> {
  try {
    for (const one of await addressesCarriedOver(db, lists)) {
      const isNeeded = await needsException(one, lists.allowCidrs, resolve);
      if (isNeeded === false) await one.forget();
      if (isNeeded !== true) continue;
      log.warn(
        `${one.subject} is reached at ${one.url} by WHEELHOUSE_ALLOW_CIDRS, which is for clusters alone now: the address was in use before. List it in ${one.setting}; once another address is entered, the list of clusters does not count for it any more.`,
      );
    }
  } catch (error) {
    log.error({ err: describeError(error) }, 'Addresses that were carried over could not be reviewed');
  }
}

async function addressesCarriedOver(db: Store['db'], lists: Lists): Promise<readonly CarriedOver[]> {
  const issuers = await db.select().from(identityProviders).where(isNotNull(identityProviders.carriedOver));
  const sources = await db.select().from(clusters).where(isNotNull(clusters.carriedOver));
  return [
    ...issuers.map(({ id, name, carriedOver: url }) => ({
      url: url ?? '',
      subject: `The issuer of ${name}`,
      setting: 'WHEELHOUSE_ISSUER_ALLOW_CIDRS',
      cidrs: lists.issuerCidrs,
      forget: () =>
        db.update(identityProviders).set({ carriedOver: null }).where(eq(identityProviders.id, id)),
    })),
    ...sources.map(({ id, name, carriedOver: url }) => ({
      url: url ?? '',
      subject: `The metrics source of ${name}`,
      setting: 'WHEELHOUSE_METRICS_SOURCE_ALLOW_CIDRS',
      cidrs: lists.metricsSourceCidrs,
      forget: () => db.update(clusters).set({ carriedOver: null }).where(eq(clusters.id, id)),
    })),
  ];
}

/** Whether an address is let through by the list of clusters alone; undefined where its name cannot be resolved. */
async function needsException(
  { url, cidrs }: CarriedOver,
  clusterCidrs: readonly string[],
  resolve: Resolver,
): Promise<boolean | undefined> {
  const host = URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === undefined || clusterCidrs.length === 0) return false;
  const own = createAddressGuard(cidrs);
  const found = await resolve(host).catch(() => undefined);
  return found?.some(({ address }) => own.refusal(address) !== undefined);
}
