import { actionById } from '../../../commands/kinds/index.ts';
import { readOnlyReason } from '../../contract/clusters.ts';
import type { actionEndpoints } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { isGrave } from '../../registry/kinds/confirmation.ts';
import { changePlace } from '../access/place.ts';
import { auditedChanges, auditedRefs, auditedRevision } from '../actions/audited.ts';
import { judgeActions, needOf, sharedActions } from '../actions/available.ts';
import { deletionEffects, together } from '../actions/deletion-effects.ts';
import { kindsOf, requireView, withKinds } from '../actions/named-objects.ts';
import { requireNameFor } from '../actions/protection.ts';
import { objectsAtATime, readArgs, requireAllowed, requireOneFor, runOnAll } from '../actions/run-action.ts';
import type { Handlers } from '../http/handlers.ts';
import { writtenVersions } from '../audit/written.ts';
import { createLimiter } from '../kit/limiter.ts';
import { addressOf } from '../objects/address.ts';
import type { RouteParts } from './parts.ts';

/** Actions on objects, as the kinds declare them. */
export function actionHandlers(
  parts: Pick<RouteParts, 'clusters' | 'grants' | 'kinds' | 'jobs' | 'clock'>,
): Handlers<typeof actionEndpoints> {
  const { clusters, grants, kinds } = parts;
  return {
    async availableActions({ params, body }, { person, cluster }) {
      const reach = await grants.access(person, params.clusterId);
      const named = await withKinds(kinds, cluster, body.refs);
      requireView(reach, named);
      const shared = sharedActions(kindsOf(named));
      const permitted = shared.filter((action) =>
        named.every(({ kind, ref }) => reach.held.may(needOf(action, kind), changePlace(kind, ref))),
      );
      const reason = readOnlyReason(cluster);
      const refused = shared.filter((action) => !permitted.includes(action)).map(({ id }) => id);
      if (permitted.length === 0) return { actions: [], refused };
      const transport = await clusters.transport(params.clusterId);
      const actions = await judgeActions(permitted, named, {
        transport,
        limiter: createLimiter(objectsAtATime),
      });
      return {
        actions: reason === undefined ? actions : actions.map(({ id }) => ({ id, enabled: reason })),
        refused,
      };
    },

    async deletionEffects({ params, body }, { person, cluster }) {
      const reach = await grants.access(person, params.clusterId);
      const named = await withKinds(kinds, cluster, body.refs);
      requireView(reach, named);
      const reading = {
        transport: await clusters.transport(params.clusterId),
        held: reach.held,
        limiter: createLimiter(objectsAtATime),
        find: (name: string) => kinds.find(cluster, name),
      };
      const found = await Promise.all(named.map(({ kind, ref }) => deletionEffects(reading, kind, ref)));
      const { effects, hasUnseen } = together(found);
      return { effects: [...effects], hasUnseen };
    },

    async runAction({ params, body }, { person, cluster, audit, log, address, requestId, proveAct }) {
      const action = actionById(params.actionId);
      if (action === undefined) throw new Problem({ status: 404, title: 'There is no such action.' });
      const { refs, dryRun, confirm } = body;
      await audit.record(action.id, { ...auditedRefs(refs), dryRun });
      const named = await withKinds(kinds, cluster, refs);
      requireAllowed(await grants.access(person, params.clusterId), action, named);
      const args = readArgs(action, body.args);
      audit.subject(auditedRevision(action.args, args));
      requireOneFor(action, refs.length);
      for (const { kind, ref } of named) addressOf(kind, ref);
      const transport = await clusters.acting({ person, cluster });
      if (!dryRun) {
        await requireNameFor({ action, args, named }, { cluster, transport, confirm });
        if (kindsOf(named).some((kind) => isGrave(action, kind))) await proveAct();
      }
      const call = { person, cluster, transport, action, named, args, dryRun, address, requestId, log };
      const { outcomes, changes, written } = await runOnAll(parts, call);
      audit.subject({ failed: outcomes.filter(({ ok }) => !ok).length, ...writtenVersions(written) });
      const { before, after } = auditedChanges(changes, refs.length);
      audit.changed(before, after);
      return { outcomes };
    },
  };
}
