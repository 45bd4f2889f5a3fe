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
    /** The provider by whose sign-in what was refused opens. */
    signInAt: z.optional(z.object({ key: z.string(), label: z.string() })),
    /** Identifies the response in the server's log. */
    requestId: z.optional(z.string()),
  })
  .register(z.globalRegistry, { id: 'Problem' });
export type ProblemBody = z.infer<typeof problemSchema>;
