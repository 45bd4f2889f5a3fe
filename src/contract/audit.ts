import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** How a change ended: done, refused (status 4xx), failed (5xx), or open: it runs, or the server died meanwhile. */
export const auditOutcomes = ['done', 'refused', 'failed', 'open'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** The outcome that an HTTP status stands for; null while there is none. */
export function outcomeOf(status: number | null): AuditOutcome {
  if (status === null) return 'open';
  return status < 400 ? 'done' : status < 500 ? 'refused' : 'failed';
}

/** Entries of one page. */
export const auditPageSize = 100;
/** An organisation keeps its audit for at least so many days, so that nobody gets rid of traces at once. */
export const minAuditDays = 30;

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** A moment that somebody asks for. */
export const momentSchema = z.string().check(
  z.maxLength(40),
  z.refine((text) => !Number.isNaN(Date.parse(text)), 'Enter a time like 2026-03-01T12:00Z.'),
);

/** A part of an email address that is looked for. */
export const personFilterSchema = z.optional(z.string().check(z.maxLength(254)));
/** A cluster that is looked for. */
export const clusterIdSchema = z.optional(
  z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)),
);

const filterFields = {
  /**
   * Words, each of which has to occur: in who did it, in names that it is about, in what was before or after, in the name
   * of its cluster or in its sentence's action.
   */
  words: z.optional(z.string().check(z.maxLength(253))),
  /** `yes`: only what changed something, without what was refused, tried in a dry run, or changes nothing that others see. */
  changes: z.optional(z.literal('yes')),
  /** A part of the email address of who did it. */
  person: personFilterSchema,
  /** A part of a name that the entry is about. */
  object: z.optional(z.string().check(z.maxLength(253))),
  clusterId: clusterIdSchema,
  action: z.optional(z.string().check(z.maxLength(100))),
  outcome: z.optional(z.enum(auditOutcomes)),
  /** Began at this time or later. */
  from: z.optional(momentSchema),
  /** Began before this time. */
  until: z.optional(momentSchema),
};

const filterSchema = z.object(filterFields);
/** What entries are looked for; all of them without any part. */
export type AuditFilter = z.infer<typeof filterSchema>;

/** One thing that somebody did. */
export const auditEntrySchema = z
  .object({
    id: z.int(),
    /** When it began, ISO. */
    startedAt: z.string(),
    /** When it ended, ISO; null while it runs, or when the server died meanwhile. */
    finishedAt: z.nullable(z.string()),
    /** Email address of the person at that time, or what else did it. */
    actor: z.string(),
    userId: z.nullable(z.int()),
    /** Id of the call or action. */
    action: z.string(),
    clusterId: z.nullable(z.int()),
    /** The cluster's name today, or its last one; null for one whose removal is not on record. */
    cluster: z.nullable(z.string()),
    /** Ids and names that it was done to. */
    subject: z.record(z.string(), valueSchema),
    /** Settings that it changed. */
    changes: z.nullable(z.record(z.string(), z.object({ before: valueSchema, after: valueSchema }))),
    /** Network address that it came from. */
    address: z.string(),
    requestId: z.string(),
    /** HTTP status of the outcome; null while there is none. */
    status: z.nullable(z.int()),
    /** The act as a sentence: its person, its object, and the values before and after. */
    sentence: z.string(),
  })
  .register(z.globalRegistry, { id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = z.object({
  entries: z.array(auditEntrySchema),
  /** Names the place where the next page goes on; null on the last one. */
  next: z.nullable(z.string()),
});

export const auditSettingsSchema = z.object({
  /** For how many days entries are kept; null keeps all of them. */
  days: z.nullable(z.int()),
  /** When the oldest entry that is kept began, ISO; null without any. */
  oldestAt: z.nullable(z.string()),
  /** Every action that has an entry, by name. */
  actions: z.array(z.string()),
  /** Clusters that were deleted and of which there may be entries, with their last names, by name. */
  goneClusters: z.array(z.object({ id: z.int(), name: z.string() })),
});
export type AuditSettings = z.infer<typeof auditSettingsSchema>;

/** The audit of a company, for its Owners. */
export const auditEndpoints = {
  audit: endpoint({
    method: 'GET',
    path: '/api/organization/audit',
    summary: 'Audit entries of the organisation, newest first',
    access: 'owner',
    query: z.object({
      ...filterFields,
      /** `next` of the page before. */
      after: z.optional(z.string().check(z.regex(/^\d{1,15}\.\d{1,15}$/))),
    }),
    response: auditPageSchema,
  }),
  exportAudit: endpoint({
    method: 'GET',
    path: '/api/organization/audit/export',
    summary: 'Audit entries as a file: CSV, or JSON with one entry per line. The download is audited',
    audited: 'export the audit as {format}[, {entries} entries]',
    isRoutine: true,
    access: 'owner',
    proof: 'recent',
    query: z.object({ ...filterFields, format: z._default(z.enum(['csv', 'jsonl']), 'csv') }),
    download: true,
    perMinute: 20,
  }),
  auditSettings: endpoint({
    method: 'GET',
    path: '/api/organization/audit/settings',
    summary: 'Retention of the audit, and its oldest entry',
    access: 'owner',
    response: auditSettingsSchema,
  }),
  changeAuditSettings: endpoint({
    method: 'PUT',
    path: '/api/organization/audit/settings',
    summary: 'Sets for how many days the audit is kept',
    audited: 'set for how many days the audit is kept',
    access: 'owner',
    proof: 'recent',
    body: z.strictObject({
      days: z.nullable(
        z
          .int()
          .check(
            z.minimum(minAuditDays, `The audit is kept for at least ${minAuditDays} days.`),
            z.maximum(36_500),
          ),
      ),
    }),
    response: auditSettingsSchema,
  }),
} as const;
