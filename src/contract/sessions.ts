import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** One of the own sessions. */
export const ownSessionSchema = z.object({
  id: z.int(),
  /** Whether the call came by it. */
  isCurrent: z.boolean(),
  /** The company that it acts in; null for none. */
  company: z.nullable(z.string()),
  /** How it was opened: `password`, or the label of a provider. */
  way: z.string(),
  userAgent: z.string(),
  /** Address from which it was opened. */
  address: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
});
export type OwnSession = z.infer<typeof ownSessionSchema>;

/** The own sessions. One that a company's provider opened sees and ends those of that company alone. */
export const sessionEndpoints = {
  ownSessions: endpoint({
    method: 'GET',
    path: '/api/profile/sessions',
    summary: 'The caller’s open sessions, most recently used first',
    access: 'session',
    response: z.array(ownSessionSchema),
  }),
  endOwnSession: endpoint({
    method: 'DELETE',
    path: '/api/profile/sessions/:sessionId',
    summary: 'Ends one of the caller’s sessions, with everything that it has open',
    audited: 'end one of their sessions',
    access: 'session',
    proof: 'recent',
    params: z.object({ sessionId: z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)) }),
    status: 204,
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/profile/sessions',
    summary: 'Ends every session of the caller except the current one',
    audited: 'end their other sessions',
    access: 'session',
    proof: 'recent',
    status: 204,
  }),
} as const;
