import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();
const companyId = () =>
  integer('company_id')
    .notNull()
    .references(() => companies.id, { onDelete: 'cascade' });
/** A moment, as an ISO string in UTC. */
const time = customType<{ data: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(String(value)).toISOString(),
});
const now = sql`now()`;
const created = () => time('created_at').notNull().default(now);

export const companies = pgTable('companies', {
  id: id(),
  name: text('name').notNull(),
  /** The domain of its people's addresses, lower case: who asks for an invitation from there reaches its Owners. */
  domain: text('domain'),
  createdAt: created(),
});

export const users = pgTable(
  'users',
  {
    id: id(),
    name: text('name').notNull(),
    /** Lower case. */
    email: text('email').notNull(),
    /**
     * When a mailed link or an identity provider showed that the address is this person's; null while nobody has. An
     * unproven address is good for nothing but signing in.
     */
    emailProvenAt: time('email_proven_at'),
    /** argon2id, in PHC format; null for people who sign in elsewhere. */
    passwordHash: text('password_hash'),
    /** Whether a set-up link let them found one company, which they have not done yet. */
    mayFoundCompany: boolean('may_found_company').notNull().default(false),
    createdAt: created(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
);

/** Who belongs to which company. A person who left keeps the row, so that their past is known. */
export const memberships = pgTable(
  'memberships',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    companyId: companyId(),
    /** An organisation role of the contract. */
    orgRole: smallint('org_role').notNull(),
    /** active, suspended or left: only an active one opens anything. */
    state: text('state', { enum: ['active', 'suspended', 'left'] })
      .notNull()
      .default('active'),
    createdAt: created(),
    /** Last use of a session of this company, to the minute; null before the first. */
    lastSeenAt: time('last_seen_at'),
    /** Made by the operator: signs in by password even where the company's provider is enforced. */
    isLocal: boolean('is_local').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.companyId] }),
    index('memberships_company').on(table.companyId),
  ],
);

/** OpenID Connect providers that a company brings; those of the installation stand in its environment. */
export const identityProviders = pgTable(
  'identity_providers',
  {
    id: id(),
    companyId: companyId(),
    /** Names it in addresses: random, so that nobody finds companies by counting. */
    key: text('key').notNull(),
    /** The label of its button. */
    name: text('name').notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    /** Sealed, bound to the key. */
    clientSecret: bytea('client_secret').notNull(),
    /** The claim that lists a person's groups; null where none is read. */
    groupsClaim: text('groups_claim'),
    /** Whether sessions of the company open by its enforced providers alone. */
    isEnforced: boolean('is_enforced').notNull().default(false),
    /** When somebody signed in by the settings that stand here; null since they were changed. */
    testedAt: time('tested_at'),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('identity_providers_key').on(table.key),
    index('identity_providers_company').on(table.companyId),
    unique('identity_providers_id_company').on(table.id, table.companyId),
  ],
);

/** Who a person is at an identity provider. Nobody is ever found by an e-mail address. */
export const identities = pgTable(
  'identities',
  {
    id: id(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The company's provider; null for those of the installation. */
    providerId: integer('provider_id').references(() => identityProviders.id, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** The address that the provider said to be verified at the last sign-in, lower case. */
    email: text('email'),
    createdAt: created(),
    lastUsedAt: time('last_used_at'),
  },
  (table) => [
    uniqueIndex('identities_installation').on(table.issuer, table.subject).where(sql`provider_id is null`),
    uniqueIndex('identities_provider')
      .on(table.providerId, table.issuer, table.subject)
      .where(sql`provider_id is not null`),
    index('identities_user').on(table.userId),
  ],
);

/** Sign-ins that wait at a provider, on whichever server they began. Consumed once, by deleting the row. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    /** SHA-256 of the state that travels by the provider. */
    stateHash: bytea('state_hash').primaryKey(),
    /** SHA-256 of the cookie of the browser that began. */
    browserHash: bytea('browser_hash').notNull(),
    /** Key of the provider: of a company, or the name that the environment gives it. */
    provider: text('provider').notNull(),
    purpose: text('purpose', { enum: ['sign-in', 'connect', 'test'] }).notNull(),
    /** Who connects or tests, in which session; null for a sign-in. */
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    sessionHash: bytea('session_hash'),
    nonce: text('nonce').notNull(),
    /** Secret half of PKCE. */
    verifier: text('verifier').notNull(),
    /** A path of this console. */
    returnUrl: text('return_url').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('pending_sign_ins_expiry').on(table.expiresAt)],
);

/** What Owners offer to people by their address. Who redeemed one became a member; every other membership was founded. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    companyId: companyId(),
    /** Lower case. */
    email: text('email').notNull(),
    /** An organisation role of the contract. */
    orgRole: smallint('org_role').notNull(),
    /** Teams with roles, as the contract has them. A team that is gone by then is left out. */
    teams: jsonb('teams').notNull().default([]),
    /** SHA-256 of the token that the Owner was shown: whoever has it may hold any address. */
    linkHash: bytea('link_hash').notNull(),
    /** SHA-256 of the token that was mailed, never shown to anybody else: its bearer reads mail of that address. */
    mailHash: bytea('mail_hash').notNull(),
    invitedBy: integer('invited_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: created(),
    expiresAt: time('expires_at').notNull(),
    /** A pending one whose time is over is expired. */
    state: text('state', { enum: ['pending', 'accepted', 'rejected', 'revoked'] })
      .notNull()
      .default('pending'),
    settledAt: time('settled_at'),
    /** The account that came by a link of it: it sees the invitation although its address may be unproven. */
    claimedBy: integer('claimed_by').references(() => users.id, { onDelete: 'set null' }),
    /** The state of the mail; `off` where the console sends none. */
    mail: text('mail', { enum: ['off', 'sending', 'sent', 'failed'] }).notNull(),
    /** When the mail was last tried or sent. */
    mailAt: time('mail_at').notNull().default(now),
    /** Why the mail failed, as a sentence; empty otherwise. */
    mailProblem: text('mail_problem').notNull().default(''),
  },
  (table) => [
    uniqueIndex('invitations_link').on(table.linkHash),
    uniqueIndex('invitations_mail').on(table.mailHash),
    uniqueIndex('invitations_pending').on(table.companyId, table.email).where(sql`state = 'pending'`),
    index('invitations_email').on(table.email),
    index('invitations_claimed').on(table.claimedBy),
  ],
);

/** People who asked for an invitation: the Owners of the companies with their domain see it. */
export const invitationRequests = pgTable(
  'invitation_requests',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The domain of their address, lower case. */
    domain: text('domain').notNull(),
    askedAt: time('asked_at').notNull().default(now),
  },
  (table) => [index('invitation_requests_domain').on(table.domain)],
);

export const sessions = pgTable(
  'sessions',
  {
    /** Names the session to its person. */
    id: integer('id').notNull().unique().generatedAlwaysAsIdentity(),
    /** SHA-256 of the cookie's token: the token itself is never stored. */
    tokenHash: bytea('token_hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The company that the session acts in; null for somebody who belongs to none yet. */
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    createdAt: created(),
    lastSeenAt: time('last_seen_at').notNull().default(now),
    idleExpiresAt: time('idle_expires_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    userAgent: text('user_agent').notNull().default(''),
    /** Where it began. */
    address: text('address').notNull().default(''),
    /** The company's provider that opened it: it never acts elsewhere, nor for the account. */
    providerId: integer('provider_id').references(() => identityProviders.id, { onDelete: 'cascade' }),
    /** How it was opened, for the list of a person's sessions: `password`, or a provider's key. */
    signInWay: text('sign_in_way').notNull().default('password'),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_company').on(table.companyId, table.userId),
    // What a company's provider opened stays in that company, whatever the code says.
    foreignKey({
      name: 'sessions_provider_of_company',
      columns: [table.providerId, table.companyId],
      foreignColumns: [identityProviders.id, identityProviders.companyId],
    }).onDelete('cascade'),
  ],
);

/** Failed tries to guess something, as buckets that leak; see `access/throttle.ts`. */
export const brakes = pgTable(
  'brakes',
  {
    /** Digest of what is guarded. */
    key: bytea('key').primaryKey(),
    /** Digest of the network that failed at an account; null where networks do not count. */
    network: bytea('network'),
    /** When the last failure has leaked away, and the row may go. */
    emptyAt: time('empty_at').notNull(),
  },
  (table) => [
    index('brakes_network').on(table.network, table.emptyAt),
    index('brakes_empty').on(table.emptyAt),
  ],
);

/** Preferences of a person, on the server, so that they follow to every browser. */
export const preferences = pgTable(
  'preferences',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    companyId: companyId(),
    /** Lines of the contract's keymap, later ones over earlier ones. */
    keymap: jsonb('keymap').notNull().default([]),
    /** How a change by a single key is guarded, one of the contract's guards. */
    changes: text('changes').notNull().default('confirm'),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (table) => [index('preferences_company').on(table.companyId)],
);

/** Filters of lists that people keep by a name. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    companyId: companyId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The list and its search, below any cluster. */
    place: text('place').notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.name] }),
    index('saved_filters_company').on(table.companyId),
  ],
);

/** Texts that people have not yet applied or discarded. */
export const drafts = pgTable(
  'drafts',
  {
    companyId: companyId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Where it was written: the dialog that creates, or the object that is edited. */
    place: text('place').notNull(),
    /** Sealed, bound to person and place. */
    text: bytea('text').notNull(),
    /** The version that an edit began from. */
    base: text('base'),
    savedAt: time('saved_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.place] }),
    index('drafts_company').on(table.companyId),
  ],
);

/** Single-use links: set-up of the first Owner, later invitations and password resets. */
export const links = pgTable('links', {
  tokenHash: bytea('token_hash').primaryKey(),
  purpose: text('purpose').notNull(),
  userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
  createdAt: created(),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
});

export const teams = pgTable(
  'teams',
  {
    id: id(),
    companyId: companyId(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('teams_company_name').on(table.companyId, table.name),
    unique('teams_id_company').on(table.id, table.companyId),
  ],
);

export const teamMembers = pgTable(
  'team_members',
  {
    companyId: companyId(),
    teamId: integer('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A team role of the contract: 3, 4 or 6. */
    role: smallint('role').notNull(),
    /** Key of the provider whose groups put the person here; null where somebody did. */
    givenBy: text('given_by'),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index('team_members_user').on(table.userId),
    // Team and person are of the same company, whatever the code says.
    foreignKey({
      name: 'team_members_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'team_members_team',
      columns: [table.teamId, table.companyId],
      foreignColumns: [teams.id, teams.companyId],
    }).onDelete('cascade'),
  ],
);

/** Which groups of a provider put people into which teams of a company. */
export const groupTeams = pgTable(
  'group_teams',
  {
    companyId: companyId(),
    /** Key of the provider. */
    provider: text('provider').notNull(),
    /** The group as the provider's claim names it. */
    group: text('group_name').notNull(),
    teamId: integer('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** A team role of the contract: 3, 4 or 6. */
    role: smallint('role').notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.provider, table.group, table.teamId] }),
    foreignKey({
      name: 'group_teams_team',
      columns: [table.teamId, table.companyId],
      foreignColumns: [teams.id, teams.companyId],
    }).onDelete('cascade'),
  ],
);

export const teamClusters = pgTable(
  'team_clusters',
  {
    companyId: companyId(),
    teamId: integer('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    /** The namespaces that the grant is restricted to; null for the whole cluster. */
    namespaces: text('namespaces').array(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.clusterId] }),
    index('team_clusters_cluster').on(table.clusterId),
    foreignKey({
      name: 'team_clusters_team',
      columns: [table.teamId, table.companyId],
      foreignColumns: [teams.id, teams.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'team_clusters_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);

/**
 * What a company's Owners changed about a team role: permissions that the role holds there beside its default, or lacks.
 * What is not named here is as the contract says.
 */
export const roleAdjustments = pgTable(
  'role_adjustments',
  {
    companyId: companyId(),
    /** A team role of the contract: 3, 4 or 6. */
    role: smallint('role').notNull(),
    /** A permission's name. */
    permission: text('permission').notNull(),
    /** Whether the role holds it in this company; always other than its default. */
    isHeld: boolean('is_held').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.role, table.permission] })],
);

export const clusters = pgTable(
  'clusters',
  {
    id: id(),
    companyId: companyId(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** kubeconfig, playground or operator. */
    source: text('source').notNull(),
    /** URL of the API server, without credentials. */
    server: text('server').notNull(),
    /** The chosen context, rewritten and sealed; null for playground and operator, whose credential lives outside. */
    kubeconfig: bytea('kubeconfig'),
    /** The operator's context name (source operator); which of the playground's clusters it is, null for the first. */
    context: text('context'),
    /** Goes up with each replaced credential. */
    credentialVersion: integer('credential_version').notNull().default(1),
    credentialExpiresAt: time('credential_expires_at'),
    colour: smallint('colour').notNull(),
    isProtected: boolean('is_protected').notNull().default(false),
    isReadOnly: boolean('is_read_only').notNull().default(false),
    isShellAllowed: boolean('is_shell_allowed').notNull().default(true),
    /** Namespaces to watch one by one where the credential may not list the whole cluster. */
    namespaces: text('namespaces').array().notNull().default(sql`'{}'`),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('clusters_company_name').on(table.companyId, table.name),
    unique('clusters_id_company').on(table.id, table.companyId),
  ],
);

/** Calls by which people who are signed out try to get in. */
export const tries: ReadonlySet<string> = new Set(['signIn', 'setup']);

/**
 * Which rows of the audit are such tries that failed: the only ones that are ever deleted. Literals, as the index on
 * these rows serves only a query that says the same.
 */
export const isFailedTry = sql`action in ('signIn', 'setup') and status >= 400`;

/** Who did what. A row is written before a change and completed after it: no row, no change. */
export const audit = pgTable(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Who it was in words, so that the row outlives the account. */
    actor: text('actor').notNull(),
    /** Id of the endpoint or action. */
    action: text('action').notNull(),
    clusterId: integer('cluster_id'),
    /** Its subject: ids and names only, never a body. */
    subject: jsonb('subject').notNull().default({}),
    address: text('address').notNull(),
    requestId: text('request_id').notNull(),
    startedAt: time('started_at').notNull().default(now),
    /** Null while it runs, or when the server died meanwhile. */
    finishedAt: time('finished_at'),
    /** HTTP status of the outcome. */
    status: smallint('status'),
  },
  (table) => [
    index('audit_company_time').on(table.companyId, table.startedAt),
    index('audit_failed_tries').on(table.id).where(isFailedTry),
  ],
);

/** Work that a server does step by step. A row outlives its job: others see it, and how it ended. */
export const jobs = pgTable(
  'jobs',
  {
    id: id(),
    companyId: companyId(),
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Who began it in words. */
    actor: text('actor').notNull(),
    /** Id of the action that began it. */
    action: text('action').notNull(),
    /** The object; the namespace is empty for cluster-scoped ones. */
    kind: text('kind').notNull(),
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    /** The namespaces of what it works on; null where it is about the cluster itself, or not known. */
    namespaces: text('namespaces').array(),
    title: text('title').notNull(),
    /** A job status of the contract. */
    status: text('status').notNull().default('running'),
    message: text('message').notNull(),
    /** Steps of the contract. */
    steps: jsonb('steps').notNull().default([]),
    /** Who asked it to stop. */
    cancelledBy: text('cancelled_by'),
    /** The server that runs it; `beatAt` is its last sign of life. */
    server: text('server').notNull(),
    beatAt: time('beat_at').notNull().default(now),
    startedAt: time('started_at').notNull().default(now),
    finishedAt: time('finished_at'),
  },
  (table) => [
    index('jobs_cluster').on(table.clusterId, table.startedAt),
    // One at a time on each object, whichever server does it.
    uniqueIndex('jobs_running')
      .on(table.clusterId, table.kind, table.namespace, table.name)
      .where(sql`status = 'running'`),
  ],
);

/** Facts about the installation itself (key check value, organisation of the playground …). */
export const installation = pgTable('installation', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
});

export type ClusterRow = typeof clusters.$inferSelect;
export type JobRow = typeof jobs.$inferSelect;
