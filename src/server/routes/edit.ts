import type { editEndpoints } from '../../contract/edit.ts';
import { requireConfirmation, requireWritable } from '../actions/protection.ts';
import { writtenVersions } from '../audit/written.ts';
import type { Handlers } from '../http/handlers.ts';
import { changedFields, ObjectEdit, readSource, requireSendable } from '../manifests/edit.ts';
import type { RouteParts } from './parts.ts';

/** Handlers that edit objects of any kind. */
export function editHandlers({ clusters }: Pick<RouteParts, 'clusters'>): Handlers<typeof editEndpoints> {
  return {
    async editSource({ params, query }, { kind, cluster, signal }) {
      const transport = await clusters.transport(params.clusterId);
      const ref = { namespace: query.namespace, name: params.name };
      return await readSource({ transport, kind, cluster: cluster.name, ref }, signal);
    },

    async editObject({ params, query, body }, { person, kind, cluster, audit, proveAct }) {
      const { dryRun, changes, confirm } = body;
      const ref = { namespace: query.namespace, name: params.name };
      await audit.record('object.edit', {
        kind: kind.id,
        namespace: ref.namespace ?? null,
        name: ref.name,
        dryRun,
        fields: changedFields(changes),
      });
      requireWritable(cluster);
      requireSendable(kind, changes);
      const transport = await clusters.acting({ person, cluster });
      const edit = await ObjectEdit.read({ transport, kind, cluster: cluster.name, ref }, body);
      const { isDestructive } = edit;
      if (isDestructive && !dryRun) requireConfirmation(cluster, confirm);
      if (edit.isGrave && !dryRun) await proveAct();
      const { written, ...sent } = await edit.send(dryRun);
      if (!dryRun) audit.subject(writtenVersions([written]));
      return { ...sent, isDestructive, mustConfirm: isDestructive && cluster.isProtected };
    },
  };
}
