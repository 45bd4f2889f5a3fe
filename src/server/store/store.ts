import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { DiskRoom } from './disk-room.ts';
import type { QueueName } from './queue-tables.ts';

/** People whom one message names, at most: one has room for some thousand characters. */
export const noticeSize = 100;

/** Messages between replicas, by LISTEN/NOTIFY: ids only, and what an operator asks them. */
export interface ChannelMessages {
  /** Grants of a company's people or clusters changed. */
  grants: { companyId: number };
  /**
   * What a company is called, which model answers in its chats, or what waits for people besides what they may do
   * (invitations, requests for one) changed: for the pages of all in the company, or for those of the people.
   */
  account: { companyId: number } | { userIds: readonly number[] };
  /** A person's sessions ended: everything of theirs that is open closes. `tokenHash` (hex) names one session. */
  sessions: { userId: number; tokenHash?: string };
  /** How a person likes the console changed. */
  preferences: { userId: number };
  /** How a person looks at a cluster changed. */
  userSettings: { userId: number; clusterId: number };
  /** A cluster was added, removed, or its credential or settings replaced. */
  clusters: { companyId: number; clusterId: number };
  /** A job of a cluster began, went on, was asked to stop or ended. `isFree`: its server ended, any other may go on. */
  jobs: { clusterId: number; jobId: number; isFree?: true };
  /** What people were told of what they follow, what they follow, or which troubles they acknowledged, changed. */
  notifications: { userIds: readonly number[] };
  /** Somebody began to wait for an object of a cluster. */
  waits: { clusterId: number };
  /** An answer of the chat went on or ended. */
  chat: { turnId: string };
  /** Jobs of a queue are due. */
  queue: { name: QueueName };
  /** An operator asks each server why something was slow for a person on a cluster. */
  explain: { ask: string; userId: number; clusterId: number };
  /** A server's answer, in parts that a message has room for: patterns, kinds, statuses and times, no names. */
  explained: { ask: string; server: string; part: number; parts: number; lines: readonly string[] };
}

/**
 * How servers are told of each topic.
 * - `rights`: may tell of a right that was taken away. Sent with the commit that does it, alone and at once: neither
 *   happens without the other. Only for rare changes, as commits that notify wait for one another.
 * - `news`: says that something is worth reading again. Sent after the commit, at most ten times a second: what comes
 *   sooner goes together. It may be lost with its server, so whoever listens asks now and then as well.
 */
export const topicSorts = {
  grants: 'rights',
  sessions: 'rights',
  clusters: 'rights',
  account: 'news',
  preferences: 'news',
  userSettings: 'news',
  jobs: 'news',
  notifications: 'news',
  waits: 'news',
  chat: 'news',
  queue: 'news',
  explain: 'news',
  explained: 'news',
} as const satisfies Readonly<Record<keyof ChannelMessages, 'rights' | 'news'>>;

type TopicOf<Sort> = {
  [K in keyof ChannelMessages]: (typeof topicSorts)[K] extends Sort ? K : never;
}[keyof ChannelMessages];
/** Topics that may tell of a right that was taken away. */
export type RightsTopic = TopicOf<'rights'>;
/** Topics that tell of what is worth reading again. */
export type NewsTopic = TopicOf<'news'>;

/** Messages between the replicas of one installation; this replica hears its own as well. */
export interface Channel {
  /** Resolves once the message is sent. */
  notify<K extends NewsTopic>(topic: K, message: ChannelMessages[K]): Promise<void>;
  /**
   * Sends a message if the transaction that makes it true commits, and only then: within it what may take a right away,
   * after it all else.
   */
  notify<K extends keyof ChannelMessages>(
    topic: K,
    message: ChannelMessages[K],
    within: Transaction,
  ): Promise<void>;
  /** Returns a disposer. After a lost connection every listener of `onGap` is called: state must be read again. */
  on<K extends keyof ChannelMessages>(topic: K, listener: (message: ChannelMessages[K]) => void): () => void;
  onGap(listener: () => void): () => void;
  /** Called when the connection is lost, before it is opened again; returns a disposer. */
  onLoss(listener: () => void): () => void;
}

export type Database = NodePgDatabase;
/** An open transaction. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** The open store. */
export interface Store {
  readonly db: Database;
  readonly pool: pg.Pool;
  readonly channel: Channel;
  /** Whether the disk of the database has room. */
  readonly disk: DiskRoom;
  /** Opens a connection of its own, for locks that live as long as it does. The caller ends it. */
  connect(applicationName: string): Promise<pg.Client>;
  close(): Promise<void>;
}
