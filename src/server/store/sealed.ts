import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { clusters } from './schema/clusters.ts';
import { identityProviders } from './schema/identities.ts';
import { drafts } from './schema/profile.ts';
import { shellRecordings } from './schema/recordings.ts';
import type { Store } from './store.ts';

/** The vault's context of a cluster's sealed credential. */
export const credentialContext = (clusterId: number): string => `clusters/${clusterId}/kubeconfig`;

/** The vault's context of what a cluster's Prometheus asks for. */
export const metricsCredentialContext = (clusterId: number): string =>
  `clusters/${clusterId}/metrics-credential`;

/** The vault's context of a draft's sealed text. */
export const draftContext = (userId: number, place: string): string => `drafts/${userId}/${place}`;

/** The vault's context of a company's client secret at its identity provider. */
export const clientSecretContext = (key: string): string => `identity-providers/${key}/client-secret`;

/** The vault's context of the key that the parts of a recorded shell are sealed with. */
export const recordingContext = (id: string): string => `shell-recordings/${id}/key`;

/** The vault's context of a mail that waits. */
export const mailContext = (id: string): string => `mails/${id}/content`;

/** The vault's context of a webhook's address. */
export const webhookUrlContext = (id: string): string => `webhooks/${id}/url`;

/** The vault's context of what a webhook's deliveries are signed with, now or before. */
export const webhookSecretContext = (id: string): string => `webhooks/${id}/secret`;

/** The vault's context of the key of the model that answers in a company's chats. */
export const chatModelContext = (id: string): string => `chat-models/${id}/api-key`;

/** The vault's context of the address of a receiver of the audit. */
export const streamUrlContext = (id: string): string => `audit-streams/${id}/url`;

/** The vault's context of the secret of a receiver of the audit. */
export const streamSecretContext = (id: string): string => `audit-streams/${id}/secret`;

/** One stored value that the vault sealed. */
export interface SealedValue {
  /** The vault's context of a value. */
  readonly context: string;
  /** The value's first bytes, which name its key: see `sealedKeyId`. */
  readonly head: Buffer;
  /** Which row it is, for the log: ids only. */
  readonly row: Readonly<Record<string, number | string>>;
  /** The whole value; null when it is gone by now. */
  read(): Promise<Buffer | null>;
  /** Stores `next`, unless the value is no longer `before`: what somebody stored meanwhile is newer. */
  replace(before: Buffer, next: Buffer): Promise<void>;
}

/** A column of sealed values. */
export interface SealedColumn {
  readonly table:
    | 'clusters'
    | 'drafts'
    | 'identity_providers'
    | 'shell_recordings'
    | 'mails'
    | 'webhooks'
    | 'chat_models'
    | 'audit_streams';
  readonly column:
    | 'kubeconfig'
    | 'metrics_credential'
    | 'text'
    | 'client_secret'
    | 'key'
    | 'content'
    | 'url'
    | 'secret'
    | 'previous_secret'
    | 'older_secret'
    | 'api_key';
  /** The name of a value in the log. */
  readonly title: string;
  /** Whether its values are few and small enough to be opened at every start. */
  readonly isCheckedAtStart: boolean;
  values(db: Store['db']): Promise<readonly SealedValue[]>;
}

/** Longest head of a sealed value: version, length, and a key id of at most 32 characters. */
const headLength = 34;

/** Every column that the vault seals. A key rotation goes through all of them. */
export const sealedColumns: readonly SealedColumn[] = [
  ofClusters({
    column: 'kubeconfig',
    title: 'The stored credential of a cluster',
    isCheckedAtStart: true,
    context: credentialContext,
  }),
  ofClusters({
    column: 'metrics_credential',
    title: 'The credential of a cluster’s Prometheus',
    isCheckedAtStart: false,
    context: metricsCredentialContext,
  }),
  {
    table: 'drafts',
    column: 'text',
    title: 'A draft',
    isCheckedAtStart: false,
    async values(db) {
      const rows = await db
        .select({
          userId: drafts.userId,
          companyId: drafts.companyId,
          place: drafts.place,
          head: headOf('text'),
        })
        .from(drafts);
      return rows.map(({ userId, companyId, place, head }) => {
        const own = and(eq(drafts.userId, userId), eq(drafts.companyId, companyId), eq(drafts.place, place));
        return {
          context: draftContext(userId, place),
          head,
          row: { userId },
          async read() {
            const [row] = await db.select({ value: drafts.text }).from(drafts).where(own);
            return row?.value ?? null;
          },
          async replace(before, next) {
            await db
              .update(drafts)
              .set({ text: next })
              .where(and(own, eq(drafts.text, before)));
          },
        };
      });
    },
  },
  {
    table: 'identity_providers',
    column: 'client_secret',
    title: 'The client secret of an identity provider',
    isCheckedAtStart: false,
    async values(db) {
      const rows = await db
        .select({ id: identityProviders.id, key: identityProviders.key, head: headOf('client_secret') })
        .from(identityProviders);
      return rows.map(({ id, key, head }) => {
        const own = eq(identityProviders.id, id);
        return {
          context: clientSecretContext(key),
          head,
          row: { providerId: id },
          async read() {
            const [row] = await db
              .select({ value: identityProviders.clientSecret })
              .from(identityProviders)
              .where(own);
            return row?.value ?? null;
          },
          async replace(before, next) {
            await db
              .update(identityProviders)
              .set({ clientSecret: next })
              .where(and(own, eq(identityProviders.clientSecret, before)));
          },
        };
      });
    },
  },
  {
    table: 'shell_recordings',
    column: 'key',
    title: 'The key of a recorded shell',
    isCheckedAtStart: false,
    async values(db) {
      const rows = await db.select({ id: shellRecordings.id, head: headOf('key') }).from(shellRecordings);
      return rows.map(({ id, head }) => {
        const own = eq(shellRecordings.id, id);
        return {
          context: recordingContext(id),
          head,
          row: { recordingId: id },
          async read() {
            const [row] = await db.select({ value: shellRecordings.key }).from(shellRecordings).where(own);
            return row?.value ?? null;
          },
          async replace(before, next) {
            await db
              .update(shellRecordings)
              .set({ key: next })
              .where(and(own, eq(shellRecordings.key, before)));
          },
        };
      });
    },
  },
  ofRows({ table: 'mails', column: 'content', title: 'A mail that waits', context: mailContext }),
  ofRows({ table: 'webhooks', column: 'url', title: 'The address of a webhook', context: webhookUrlContext }),
  ofRows({
    table: 'webhooks',
    column: 'secret',
    title: 'The secret of a webhook',
    context: webhookSecretContext,
  }),
  ofRows({
    table: 'webhooks',
    column: 'previous_secret',
    title: 'The former secret of a webhook',
    context: webhookSecretContext,
  }),
  ofRows({
    table: 'webhooks',
    column: 'older_secret',
    title: 'The secret of a webhook before the former one',
    context: webhookSecretContext,
  }),
  ofRows({
    table: 'chat_models',
    column: 'api_key',
    title: 'The key of a chat’s model',
    context: chatModelContext,
  }),
  ofRows({
    table: 'audit_streams',
    column: 'url',
    title: 'The address of a receiver of the audit',
    context: streamUrlContext,
  }),
  ofRows({
    table: 'audit_streams',
    column: 'secret',
    title: 'The secret of a receiver of the audit',
    context: streamSecretContext,
  }),
];

/** A column of the clusters. */
function ofClusters({
  column,
  title,
  isCheckedAtStart,
  context,
}: Pick<SealedColumn, 'title' | 'isCheckedAtStart'> & {
  readonly column: 'kubeconfig' | 'metrics_credential';
  readonly context: (clusterId: number) => string;
}): SealedColumn {
  const value = column === 'kubeconfig' ? clusters.kubeconfig : clusters.metricsCredential;
  return {
    table: 'clusters',
    column,
    title,
    isCheckedAtStart,
    async values(db) {
      const rows = await db
        .select({ id: clusters.id, head: headOf(column) })
        .from(clusters)
        .where(isNotNull(value))
        .orderBy(clusters.id);
      return rows.map(({ id, head }) => {
        const own = eq(clusters.id, id);
        return {
          context: context(id),
          head,
          row: { clusterId: id },
          async read() {
            const [row] = await db.select({ value }).from(clusters).where(own);
            return row?.value ?? null;
          },
          async replace(before, next) {
            await db
              .update(clusters)
              .set(column === 'kubeconfig' ? { kubeconfig: next } : { metricsCredential: next })
              .where(and(own, eq(value, before)));
          },
        };
      });
    },
  };
}

/** The column of a table whose rows have an `id` that is a UUID. */
function ofRows({
  table,
  column,
  title,
  context,
}: Pick<SealedColumn, 'table' | 'column' | 'title'> & {
  readonly context: (id: string) => string;
}): SealedColumn {
  const [from, value] = [sql.identifier(table), sql.identifier(column)];
  return {
    table,
    column,
    title,
    isCheckedAtStart: false,
    async values(db) {
      const { rows } = await db.execute<{ id: string; head: Buffer }>(
        sql`select id, ${headOf(column)} as head from ${from} where ${value} is not null`,
      );
      return rows.map(({ id, head }) => ({
        context: context(id),
        head,
        row: { rowId: id },
        async read() {
          const found = await db.execute<{ value: Buffer | null }>(
            sql`select ${value} as value from ${from} where id = ${id}`,
          );
          return found.rows[0]?.value ?? null;
        },
        async replace(before, next) {
          await db.execute(
            sql`update ${from} set ${value} = ${next} where id = ${id} and ${value} = ${before}`,
          );
        },
      }));
    },
  };
}

/** The head alone: a draft may be a megabyte. */
function headOf(column: SealedColumn['column']) {
  return sql<Buffer>`substring(${sql.identifier(column)} from 1 for ${sql.raw(String(headLength))})`;
}
