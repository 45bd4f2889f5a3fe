import { webhookSecretContext, webhookUrlContext } from '../store/sealed.ts';
import type { Vault } from '../store/vault.ts';
import type { WebhookRow } from './delivery-rows.ts';

type SealedWebhook = Pick<
  WebhookRow,
  'id' | 'url' | 'secret' | 'previousSecret' | 'previousUntil' | 'olderSecret' | 'olderUntil'
>;

/**
 * The address of a webhook, and the secrets that its deliveries are signed with: its own, and those before that are still
 * good. Throws SealError where the key is gone.
 * @param now epoch ms
 */
export function openWebhook(
  vault: Vault,
  row: SealedWebhook,
  now: number,
): { readonly url: string; readonly secrets: readonly string[] } {
  const { id, url, secret, previousSecret, previousUntil, olderSecret, olderUntil } = row;
  const open = (sealed: Buffer) => vault.open(sealed, webhookSecretContext(id));
  const before = [
    [previousSecret, previousUntil],
    [olderSecret, olderUntil],
  ] as const;
  const good = before.flatMap(([sealed, until]) =>
    sealed !== null && isAfter(until, now) ? [open(sealed)] : [],
  );
  return { url: vault.open(url, webhookUrlContext(id)), secrets: [open(secret), ...good] };
}

/** Whether a time is yet to come. @param now epoch ms */
export const isAfter = (time: string | null, now: number): boolean => time !== null && Date.parse(time) > now;
