import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { namespaceNameSchema } from './namespaces.ts';
import { permissionNameSchema } from './permission-names.ts';
import { permissions } from './permissions.ts';
import { freeTextSchema } from './text.ts';

/** Bounds of temporary access. */
export const accessLimits = {
  /** For how long it may be asked, minutes. */
  minutes: { least: 5, most: 24 * 60 },
  /** How long a request waits for a decision, hours. */
  waiting: 24,
  /** Requests of one person that may wait at a time. */
  pending: 10,
  /** Namespaces that one request may name. */
  namespaces: 20,
} as const;

/**
 * How a request stands:
 * - `pending`: somebody has to decide; `lapsed`: nobody did in time
 * - `refused`, `withdrawn`: it gave nothing
 * - `active`: what it names is held; `expired`: its time is over; `revoked`: somebody took it back
 * - `ended`: it went with the membership, or with the place in the team by which it was approved
 */
export const requestStates = [
  'pending',
  'lapsed',
  'refused',
  'withdrawn',
  'active',
  'expired',
  'revoked',
  'ended',
] as const;
export type RequestState = (typeof requestStates)[number];

/** A request for permissions on a cluster for a while. */
export const accessRequestSchema = z
  .object({
    id: z.int(),
    person: z.object({ name: z.string(), email: z.string() }),
    cluster: z.object({ id: z.int(), name: z.string() }),
    /** Sorted by name. */
    permissions: z.array(z.enum(permissions)),
    /** The namespaces that it is about; null for the whole cluster. */
    namespaces: z.nullable(z.array(z.string())),
    reason: z.string(),
    /** For how long, from the approval on. */
    minutes: z.int(),
    state: z.enum(requestStates),
    askedAt: z.string(),
    /** Until when it waits for a decision. */
    decideBy: z.string(),
    /** Names of the people who approved it, the first one first. */
    approvedBy: z.array(z.string()),
    /** Number of people who have to approve it while it waits. */
    approversNeeded: z.int(),
    /** Name of the person who refused it, or approved it last. */
    decidedBy: z.nullable(z.string()),
    /** When what was approved ends, or would have ended. */
    endsAt: z.nullable(z.string()),
    /** Whether it is the caller's own. */
    isOwn: z.boolean(),
    /** Whether the caller may refuse it now. */
    mayDecide: z.boolean(),
    /** Whether the caller may approve it now: nobody approves one twice. */
    mayApprove: z.boolean(),
    /** Whether the caller may withdraw or revoke it now. */
    mayEnd: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'AccessRequest' });
export type AccessRequest = z.infer<typeof accessRequestSchema>;

/** The rule of an organisation for the approval of temporary access. */
const approvalRuleSchema = z.object({
  /** Number of people who have to approve a request. */
  approvers: z.union([z.literal(1), z.literal(2)]),
  /** Names of the Owners. Two are needed to ask for two approvals: they alone can decide on every request. */
  owners: z.array(z.string()),
});

const id = z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647));
const params = z.object({ requestId: id });

/** Asking for permissions for a while, and deciding on that. */
export const accessRequestEndpoints = {
  accessRequests: endpoint({
    method: 'GET',
    path: '/api/access-requests',
    summary: 'The caller’s access requests, and those that the caller can decide on or end',
    access: 'member',
    response: z.object({
      /** The time by the clock that ends them. */
      now: z.string(),
      /** The newest first. */
      requests: z.array(accessRequestSchema),
    }),
  }),
  askAccess: endpoint({
    method: 'POST',
    path: '/api/access-requests',
    summary: 'Requests temporary permissions on a cluster',
    audited:
      'ask for temporary access to {cluster}: {permissions}[, in the namespaces {namespaces}][, for {minutes} minutes][, because “{reason}”]',
    access: 'member',
    body: z.strictObject({
      clusterId: id,
      permissions: z
        .array(permissionNameSchema)
        .check(z.minLength(1, 'Name at least one permission.'), z.maxLength(100)),
      /** Only these of the cluster; all of it without. */
      namespaces: z.optional(
        z.nullable(
          z
            .array(namespaceNameSchema)
            .check(
              z.minLength(1, 'Name at least one namespace.'),
              z.maxLength(
                accessLimits.namespaces,
                `Name at most ${accessLimits.namespaces} namespaces in one request.`,
              ),
            ),
        ),
      ),
      reason: freeTextSchema(500).check(z.minLength(1, 'Say why you need it.')),
      minutes: z
        .number()
        .check(
          z.int(),
          z.minimum(accessLimits.minutes.least, 'Ask for at least 5 minutes.'),
          z.maximum(accessLimits.minutes.most, 'Ask for at most 24 hours.'),
        ),
    }),
    response: accessRequestSchema,
    status: 201,
    perMinute: 20,
  }),
  approveAccess: endpoint({
    method: 'POST',
    path: '/api/access-requests/:requestId/approve',
    summary: 'Approves a request; its permissions apply once enough people have approved it',
    audited:
      'approve temporary access[ of {email}][ to {cluster}][: {permissions}][, in the namespaces {namespaces}]',
    access: 'member',
    proof: 'recent',
    params,
    response: accessRequestSchema,
  }),
  refuseAccess: endpoint({
    method: 'POST',
    path: '/api/access-requests/:requestId/refuse',
    summary: 'Refuses a request',
    audited: 'refuse temporary access[ of {email}][ to {cluster}][: {permissions}]',
    access: 'member',
    params,
    response: accessRequestSchema,
  }),
  endAccess: endpoint({
    method: 'POST',
    path: '/api/access-requests/:requestId/end',
    summary: 'Withdraws the caller’s own pending request, or ends the access that a request gave',
    audited: 'end temporary access[ of {email}][ to {cluster}][: {permissions}]',
    access: 'member',
    params,
    response: accessRequestSchema,
  }),
  approvalRule: endpoint({
    method: 'GET',
    path: '/api/organization/approval-rule',
    summary: 'Number of people who have to approve a request for temporary access',
    access: 'owner',
    response: approvalRuleSchema,
  }),
  setApprovalRule: endpoint({
    method: 'PUT',
    path: '/api/organization/approval-rule',
    summary: 'Sets how many people have to approve a request for temporary access',
    audited: 'set how many people approve temporary access',
    access: 'owner',
    proof: 'recent',
    body: z.strictObject({ approvers: approvalRuleSchema.shape.approvers }),
    response: approvalRuleSchema,
  }),
} as const;
