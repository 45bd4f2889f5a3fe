import * as z from 'zod/mini';

/** Where a failure happened: in this console, or in a cluster that it called. */
export const whereSchema = z.object({
  source: z.enum(['console', 'cluster', 'network']),
  cluster: z.optional(z.string()),
  kind: z.optional(z.string()),
  namespace: z.optional(z.string()),
  name: z.optional(z.string()),
});
export type Where = z.infer<typeof whereSchema>;

/** The rights that a refused person lacks, and where; the call `whyNot` tells who can grant them. */
export const lackSchema = z.object({
  /** Permissions; `owner` for what is for Owners, `team` for what is for those who manage the members of a team. */
  needs: z.array(z.string()),
  clusterId: z.optional(z.int()),
  namespace: z.optional(z.string()),
  teamId: z.optional(z.int()),
});
export type Lack = z.infer<typeof lackSchema>;

/** What a plan limits. */
const planLimits = ['members', 'clusters', 'retention'] as const;
export type PlanLimit = (typeof planLimits)[number];

/** How the caller can confirm their identity: by password, by one of their passkeys, or by signing in at a provider. */
const identityProofs = ['password', 'passkey', 'sign-in'] as const;
export type IdentityProof = (typeof identityProofs)[number];

/** The body of every failed response. `title` is the whole sentence that a person reads. */
export const problemSchema = z
  .object({
    title: z.string(),
    status: z.int(),
    detail: z.optional(z.string()),
    retryable: z.optional(z.boolean()),
    where: z.optional(whereSchema),
    /** Validation errors by path into the request. */
    issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
    /**
     * - `identity-not-confirmed`: the call succeeds once the caller has confirmed their identity, as `proof` says
     * - `passkey-needed`: it succeeds directly after the caller used a passkey for it, by `confirmAct`
     */
    code: z.optional(z.enum(['identity-not-confirmed', 'passkey-needed'])),
    proof: z.optional(z.enum(identityProofs)),
    /** The provider by whose sign-in what was refused opens. */
    signInAt: z.optional(z.object({ key: z.string(), label: z.string() })),
    /** Absent where no right of the person is what is missing. */
    lacking: z.optional(lackSchema),
    /** The limit of the plan that is reached: with another plan or more seats it would not have been refused. */
    limit: z.optional(z.enum(planLimits)),
    /** Identifies the response in the server's log. */
    requestId: z.optional(z.string()),
  })
  .register(z.globalRegistry, { id: 'Problem' });
export type ProblemBody = z.infer<typeof problemSchema>;
