import { type SQL, sql } from 'drizzle-orm';
import type { Database } from './store.ts';

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
  /** The columns that name its row. */
  readonly key: Readonly<Record<string, number | string>>;
  /** Which row it is, for the log: ids only. */
  readonly row: Readonly<Record<string, number | string>>;
  /** The name by which people know what it belongs to. */
  readonly name: string;
  /** The organisation that it belongs to; null for the installation's. */
  readonly companyId: number | null;
  /** The whole value; null when it is gone by now. */
  read(): Promise<Buffer | null>;
  /** Stores `next`, unless the value is no longer `before`: what somebody stored meanwhile is newer. */
  replace(before: Buffer, next: Buffer): Promise<void>;
}

type Db = Pick<Database, 'execute'>;

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
  /** All of them; an empty one was given up by the operator, as its key is lost. */
  values(db: Db): Promise<readonly SealedValue[]>;
}

/** Longest head of a sealed value: version, length, and a key id of at most 32 characters. */
const headLength = 34;

type KeyValues = Readonly<Record<string, number | string>>;

interface ColumnParts extends Pick<SealedColumn, 'table' | 'column' | 'title'> {
  readonly isCheckedAtStart?: boolean;
  /** The columns that name one row. */
  readonly keys: readonly string[];
  readonly context: (key: KeyValues) => string;
  /** Name of a row in the log. */
  readonly row: (key: KeyValues) => SealedValue['row'];
  /** Of a row, in SQL. */
  readonly name: SQL;
  readonly company: SQL;
}

const cluster = {
  table: 'clusters',
  keys: ['id'],
  row: ({ id = 0 }: KeyValues) => ({ clusterId: id }),
  name: sql`name`,
  company: sql`company_id`,
} as const;

const withUuid = { keys: ['id'], row: ({ id = '' }: KeyValues) => ({ rowId: id }) } as const;
const webhook = {
  table: 'webhooks',
  ...withUuid,
  name: sql`origin || ' of cluster ' || (select name from clusters c where c.id = webhooks.cluster_id)`,
  company: sql`company_id`,
} as const;
const webhookSecret = { ...webhook, context: (key: KeyValues) => webhookSecretContext(String(key['id'])) };
const stream = {
  table: 'audit_streams',
  ...withUuid,
  name: sql`coalesce(origin, 'the file')`,
  company: sql`company_id`,
} as const;

/** Every column that the vault seals. A key rotation goes through all of them. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedColumn({
    ...cluster,
    column: 'kubeconfig',
    title: 'The stored credential of a cluster',
    isCheckedAtStart: true,
    context: ({ id }) => credentialContext(Number(id)),
  }),
  sealedColumn({
    ...cluster,
    column: 'metrics_credential',
    title: 'The credential of a cluster’s Prometheus',
    context: ({ id }) => metricsCredentialContext(Number(id)),
  }),
  sealedColumn({
    table: 'drafts',
    column: 'text',
    title: 'A draft',
    keys: ['user_id', 'company_id', 'place'],
    context: ({ user_id, place }) => draftContext(Number(user_id), String(place)),
    row: ({ user_id = 0 }) => ({ userId: user_id }),
    name: sql`coalesce((select email from users u where u.id = drafts.user_id), '')`,
    company: sql`company_id`,
  }),
  sealedColumn({
    table: 'identity_providers',
    column: 'client_secret',
    title: 'The client secret of an identity provider',
    keys: ['id', 'key'],
    context: ({ key }) => clientSecretContext(String(key)),
    row: ({ id = 0 }) => ({ providerId: id }),
    name: sql`name`,
    company: sql`company_id`,
  }),
  sealedColumn({
    table: 'shell_recordings',
    column: 'key',
    title: 'The key of a recorded shell',
    keys: ['id'],
    context: ({ id }) => recordingContext(String(id)),
    row: ({ id = '' }) => ({ recordingId: id }),
    name: sql`actor || ' on ' || cluster`,
    company: sql`company_id`,
  }),
  sealedColumn({
    table: 'mails',
    column: 'content',
    title: 'A mail that waits',
    ...withUuid,
    context: ({ id }) => mailContext(String(id)),
    name: sql`purpose`,
    company: sql`null::int`,
  }),
  sealedColumn({
    ...webhook,
    column: 'url',
    title: 'The address of a webhook',
    context: ({ id }) => webhookUrlContext(String(id)),
  }),
  sealedColumn({ ...webhookSecret, column: 'secret', title: 'The secret of a webhook' }),
  sealedColumn({ ...webhookSecret, column: 'previous_secret', title: 'The former secret of a webhook' }),
  sealedColumn({
    ...webhookSecret,
    column: 'older_secret',
    title: 'The secret of a webhook before the former one',
  }),
  sealedColumn({
    table: 'chat_models',
    column: 'api_key',
    title: 'The key of a chat’s model',
    ...withUuid,
    context: ({ id }) => chatModelContext(String(id)),
    name: sql`(select name from companies c where c.id = chat_models.company_id)`,
    company: sql`company_id`,
  }),
  sealedColumn({
    ...stream,
    column: 'url',
    title: 'The address of an audit receiver',
    context: ({ id }) => streamUrlContext(String(id)),
  }),
  sealedColumn({
    ...stream,
    column: 'secret',
    title: 'The secret of an audit receiver',
    context: ({ id }) => streamSecretContext(String(id)),
  }),
];

interface FoundRow extends Record<string, unknown> {
  readonly key: Record<string, number | string>;
  readonly head: Buffer;
  readonly name: string;
  readonly company_id: number | null;
}

function sealedColumn(parts: ColumnParts): SealedColumn {
  const { table, column, title, isCheckedAtStart = false, keys, context, row, name, company } = parts;
  const [from, value] = [sql.identifier(table), sql.identifier(column)];
  const key = sql.join(
    keys.map((one) => sql`${sql.raw(`'${one}'`)}, ${sql.identifier(one)}`),
    sql`, `,
  );
  const is = (values: KeyValues) =>
    sql.join(
      keys.map((one) => sql`${sql.identifier(one)} = ${values[one]}`),
      sql` and `,
    );
  return {
    table,
    column,
    title,
    isCheckedAtStart,
    async values(db) {
      // The head alone: a draft may be a megabyte.
      const { rows } = await db.execute<FoundRow>(
        sql`select json_build_object(${key}) as key, ${name} as name, ${company} as company_id,
          substring(${value} from 1 for ${sql.raw(String(headLength))}) as head
        from ${from} where octet_length(${value}) > 0 order by ${sql.identifier(keys[0] ?? 'id')}`,
      );
      return rows.map((found) => ({
        context: context(found.key),
        head: found.head,
        key: found.key,
        row: row(found.key),
        name: found.name,
        companyId: found.company_id,
        async read() {
          const all = await db.execute<{ value: Buffer | null }>(
            sql`select ${value} as value from ${from} where ${is(found.key)}`,
          );
          return all.rows[0]?.value ?? null;
        },
        async replace(before, next) {
          await db.execute(
            sql`update ${from} set ${value} = ${next} where ${is(found.key)} and ${value} = ${before}`,
          );
        },
      }));
    },
  };
}
