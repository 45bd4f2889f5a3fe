import type { AccessRequest, accessRequestEndpoints } from '../../contract/access-requests.ts';
import type { Handlers } from '../http/handlers.ts';
import { AccessRequests } from '../organisation/access-requests.ts';
import { readApprovalRule, setApprovalRule } from '../organisation/approval-rule.ts';
import type { RouteParts } from './parts.ts';

/** Asking for permissions for a while, and deciding on that. */
export function accessRequestHandlers(
  services: Pick<RouteParts, 'store' | 'grants'>,
): Handlers<typeof accessRequestEndpoints> {
  const requests = new AccessRequests(services);
  return {
    accessRequests: (_request, { person }) => requests.list(person),
    askAccess: async ({ body }, { person, audit }) => {
      audit.subject({
        clusterId: body.clusterId,
        permissions: body.permissions.join(', '),
        namespaces: body.namespaces?.join(', ') ?? 'all',
        reason: body.reason,
        minutes: body.minutes,
      });
      const request = await requests.ask(person, body);
      audit.subject({ accessRequest: request.id, permissions: request.permissions.join(', ') });
      return request;
    },
    approveAccess: async ({ params: { requestId } }, { person, audit }) => {
      const before = await requests.one(person, requestId);
      audit.subject(factsOf(before));
      const after = await requests.approve(person, requestId);
      audit.changed(approvalOf(before), approvalOf(after));
      return after;
    },
    refuseAccess: async ({ params: { requestId } }, { person, audit }) => {
      audit.subject(factsOf(await requests.one(person, requestId)));
      const after = await requests.refuse(person, requestId);
      audit.changed({ state: 'pending' }, { state: after.state });
      return after;
    },
    endAccess: async ({ params: { requestId } }, { person, audit }) => {
      const before = await requests.one(person, requestId);
      audit.subject(factsOf(before));
      const after = await requests.end(person, requestId);
      audit.changed({ state: before.state }, { state: after.state });
      return after;
    },
    approvalRule: (_request, { person }) => readApprovalRule(services.store, person),
    setApprovalRule: async ({ body: { approvers } }, { person, audit }) => {
      audit.subject({ approvers });
      const before = await readApprovalRule(services.store, person);
      await setApprovalRule(services.store, person, approvers);
      audit.changed({ accessApprovers: before.approvers }, { accessApprovers: approvers });
      return await readApprovalRule(services.store, person);
    },
  };
}

/** The parts of a request that an approval changes. */
const approvalOf = ({ state, endsAt, approvedBy }: AccessRequest) => ({
  state,
  endsAt,
  approvedBy: approvedBy.join(', '),
});

/** What the audit keeps of a request. */
const factsOf = ({ id, person, cluster, permissions, namespaces, minutes }: AccessRequest) => ({
  accessRequest: id,
  clusterId: cluster.id,
  email: person.email,
  permissions: permissions.join(', '),
  namespaces: namespaces?.join(', ') ?? 'all',
  minutes,
});
