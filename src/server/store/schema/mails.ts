import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, created, now, time } from './columns.ts';
import { invitations } from './memberships.ts';

/** Mails that were not sent yet. A row goes when its mail is sent or given up; a job of the queue names it. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** What it is about, for the log: it names neither address nor text. */
    purpose: text('purpose').notNull(),
    /** Recipient, subject and text, sealed: a link in it opens an account. */
    content: bytea('content').notNull(),
    /** The invitation that notes what became of its mail. One that is removed takes its mail along. */
    invitationId: integer('invitation_id').references(() => invitations.id, { onDelete: 'cascade' }),
    /** The hash of the token that the mail carries: an invitation that was sent again has another one. */
    invitationHash: bytea('invitation_hash'),
    tries: integer('tries').notNull().default(0),
    /** When it is tried next. */
    nextAt: time('next_at').notNull().default(now),
    /** It is given up then: what it says is not true any more. */
    giveUpAt: time('give_up_at').notNull(),
    createdAt: created(),
  },
  (table) => [index('mails_next').on(table.nextAt)],
);

export type MailRow = typeof mails.$inferSelect;
