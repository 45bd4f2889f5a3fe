import { type SQL, sql } from 'drizzle-orm';
import { openValue } from './reseal.ts';
import { type SealedColumn, type SealedValue, sealedColumns } from './sealed.ts';
import type { Database, Transaction } from './store.ts';
import { SealError, type Vault } from './vault.ts';

/** A stored value that the keys at hand do not open. */
export interface LostValue {
  readonly column: SealedColumn;
  readonly value: SealedValue;
  readonly reason: SealError['reason'];
}

/** Every stored value that a vault does not open: each is opened, since another key may have the same id. */
export async function findLostValues(db: Pick<Database, 'execute'>, vault: Vault): Promise<LostValue[]> {
  const lost: LostValue[] = [];
  for (const column of sealedColumns)
    for (const value of await column.values(db)) {
      const sealed = await value.read();
      if (sealed === null) continue;
      const text = openValue(vault, sealed, value);
      if (text instanceof SealError) lost.push({ column, value, reason: text.reason });
    }
  return lost;
}

const disabledReason =
  'The key that its address or secret was encrypted with is lost. Add the webhook again.';
const mailProblem = 'The key that the mail was encrypted with is lost. Send it again.';

/** Consequence for the owner of a lost value; the value itself is gone in any case. */
const statements: Readonly<Record<SealedColumn['table'], (value: SealedValue, column: string) => SQL[]>> = {
  clusters: ({ key }, column) => [
    column === 'kubeconfig'
      ? sql`update clusters set kubeconfig = null, credential_version = credential_version + 1,
          credential_expires_at = null where id = ${key['id']}`
      : sql`update clusters set metrics_credential = null, metrics_source = case
          when metrics_source ? 'credential' then jsonb_set(metrics_source, '{credential}', '{"sort":"none"}')
          else metrics_source end where id = ${key['id']}`,
  ],
  drafts: ({ key }) => [
    sql`delete from drafts where user_id = ${key['user_id']} and company_id = ${key['company_id']}
      and place = ${key['place']}`,
  ],
  identity_providers: ({ key }) => [
    sql`update identity_providers set client_secret = ''::bytea, tested_at = null where id = ${key['id']}`,
  ],
  shell_recordings: ({ key }) => [sql`update shell_recordings set key = ''::bytea where id = ${key['id']}`],
  mails: ({ key }) => [
    sql`update invitations i set mail = 'failed', mail_problem = ${mailProblem}, mail_at = now()
      from mails m where m.id = ${key['id']} and i.id = m.invitation_id and i.mail_hash = m.invitation_hash`,
    sql`delete from mails where id = ${key['id']}`,
  ],
  webhooks: ({ key }, column) =>
    column === 'url' || column === 'secret'
      ? [
          sql`update webhooks set ${sql.identifier(column)} = ''::bytea, disabled_at = coalesce(disabled_at, now()),
            disabled_reason = ${disabledReason} where id = ${key['id']}`,
        ]
      : [sql`update webhooks set ${sql.identifier(column)} = null where id = ${key['id']}`],
  chat_models: ({ key }) => [
    sql`update chat_models set api_key = null, key_set_at = null, key_set_by = null, changed_at = now()
      where id = ${key['id']}`,
  ],
  audit_streams: ({ key }, column) => [
    sql`update audit_streams set ${sql.identifier(column)} = ''::bytea where id = ${key['id']}`,
  ],
};

/**
 * Gives up exactly these values: clusters are left without a credential, providers without a secret, recordings without
 * their text, receivers of the audit without address or secret; webhooks are disabled with their reason, drafts and mails
 * go. Whoever owns them can enter them again.
 */
export async function giveUp(tx: Transaction, lost: readonly LostValue[]): Promise<void> {
  for (const { column, value } of lost)
    for (const statement of statements[column.table](value, column.column)) await tx.execute(statement);
}
