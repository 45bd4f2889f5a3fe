import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** The kinds whose health says how a cluster does. */
export const fleetKinds = ['node', 'deployment', 'statefulset', 'daemonset', 'pod'] as const;
export type FleetKind = (typeof fleetKinds)[number];

/** How many objects there are, and how many of them fail. */
const tallySchema = z.object({ total: z.int(), bad: z.int() });

/** How a cluster does, by what the caller may view of it. */
export const fleetMemberSchema = z.object({
  clusterId: z.int(),
  /** When its figures were taken, ISO; null before that. */
  readAt: z.nullable(z.string()),
  /**
   * Objects and failing ones by kind; without kinds that the caller may not view and those that the cluster does not give. Of
   * pods where nobody has the cluster open, those that neither run nor are finished.
   */
  tallies: z.record(z.string(), tallySchema),
  /** Kinds that the caller may view and that are not counted: the cluster has too many, and nobody has it open. */
  uncounted: z.array(z.string()),
});
export type FleetFigures = z.infer<typeof fleetMemberSchema>;

export const fleetEndpoints = {
  fleet: endpoint({
    method: 'GET',
    path: '/api/fleet',
    summary:
      'How the clusters that the caller may view do: numbers of objects and failing ones in what they may view, at most about a minute old while somebody asks',
    access: 'member',
    tokens: 'scopes',
    perMinute: 60,
    response: z.object({ clusters: z.array(fleetMemberSchema) }),
  }),
} as const;
