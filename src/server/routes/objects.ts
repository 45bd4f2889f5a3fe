import type { objectEndpoints } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { collectionPath, objectPath, patchTypes } from '../../kube/change.ts';
import { changePlace } from '../access/place.ts';
import { isDestructive } from '../../registry/kinds/destructive-change.ts';
import { isGraveOnCluster } from '../actions/grave-changes.ts';
import { requireConfirmation, requireWritable } from '../actions/protection.ts';
import { writtenVersions } from '../audit/written.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Handlers } from '../http/handlers.ts';
import { addressOf, nameOf } from '../objects/address.ts';
import { presentObject } from '../objects/present.ts';
import { isPlain, objectIn } from '../objects/read.ts';
import { readObject, requireApi } from '../objects/read-object.ts';
import { sendChange } from '../objects/send.ts';
import { readRevisionList } from '../actions/revision-list.ts';
import { readListPage } from '../objects/list-page.ts';
import { newObjectOf, requireShallow } from '../objects/new-object.ts';
import type { RouteParts } from './parts.ts';

/** Objects of any kind: read, created and changed. Access and paths follow from the kind. */
export function objectHandlers(
  services: Pick<RouteParts, 'clusters' | 'grants'>,
): Handlers<typeof objectEndpoints> {
  const { clusters, grants } = services;
  return {
    async objects({ params, query }, { kind, cluster, signal }) {
      requireApi(kind);
      const transport = await clusters.transport(params.clusterId);
      const place = { kind, namespace: query.namespace, cluster: cluster.name };
      return await readListPage(transport, place, query, signal);
    },
    async object({ params, query }, { kind, cluster, signal }) {
      const transport = await clusters.transport(params.clusterId);
      const ref = { namespace: query.namespace, name: params.name };
      return presentObject(kind, await readObject(transport, kind, ref, { cluster: cluster.name, signal }));
    },
    async createObject({ query, body }, { kind, cluster, person, audit }) {
      requireApi(kind);
      requireShallow(body.object);
      const fit = newObjectOf(kind, body.object, query.namespace);
      const { namespace = null, name = null } = fit;
      const dryRun = query.dryRun === 'true';
      await audit.record('object.create', { kind: kind.id, namespace, name, dryRun });
      await grants.require(person, cluster.id, kind.permissions.manage, changePlace(kind, fit));
      requireWritable(cluster);
      const transport = await clusters.acting({ person, cluster });
      const created = await sendChange(
        transport,
        { method: 'POST', path: collectionPath(kind, fit.namespace), body: fit.body },
        dryRun,
      );
      const object = objectIn(created, cluster.name);
      if (!dryRun)
        audit.subject({ name: object.metadata?.name ?? name, ...writtenVersions([object.metadata]) });
      return presentObject(kind, object);
    },
    async patchObject({ params, query, body }, { person, kind, cluster, audit, proveAct }) {
      requireApi(kind);
      const { namespace } = query;
      const dryRun = query.dryRun === 'true';
      await audit.record('object.edit', {
        kind: kind.id,
        namespace: namespace ?? null,
        name: params.name,
        dryRun,
      });
      requireWritable(cluster);
      const address = addressOf(kind, { namespace, name: params.name });
      const transport = await clusters.acting({ person, cluster });
      const { metadata } = body.patch;
      if (metadata !== undefined && !isPlain(metadata)) {
        throw new Problem({ status: 400, title: 'The metadata of the change is not an object.' });
      }
      requireShallow(body.patch);
      const patch = {
        ...body.patch,
        metadata: {
          ...metadata,
          resourceVersion: body.resourceVersion,
        },
      };
      const path = objectPath(address);
      const change = { method: 'PATCH' as const, path, contentType: patchTypes.merge, body: patch };
      try {
        if (!dryRun && cluster.isProtected && body.confirm !== cluster.name) {
          // The cluster itself says what the patch leads to.
          const before = objectIn(await transport.json<unknown>({ path }), cluster.name);
          const after = objectIn(await sendChange(transport, change, true), cluster.name);
          if (isDestructive(kind, before, after)) requireConfirmation(cluster, body.confirm);
        }
        const mayAsk = !dryRun && cluster.isPasskeyRequired;
        if (mayAsk && (await isGraveOnCluster(transport, { kind, path, wanted: patch }))) await proveAct();
        const changed = objectIn(await sendChange(transport, change, dryRun), cluster.name);
        if (!dryRun) audit.subject(writtenVersions([changed.metadata]));
        return presentObject(kind, changed);
      } catch (error) {
        throw changedMeanwhile(error, nameOf(kind, address));
      }
    },
    async revisions({ params, query }, { kind, cluster, signal }) {
      const transport = await clusters.transport(params.clusterId);
      const ref = { namespace: query.namespace, name: params.name };
      return await readRevisionList(transport, kind, ref, { cluster: cluster.name, signal });
    },
  };
}

/** The failure of a change: of an object that somebody else changed first it says so. */
function changedMeanwhile(error: unknown, name: string): unknown {
  if (!(error instanceof ClusterProblem) || error.upstream.reason !== 'Conflict') return error;
  return new Problem(
    {
      status: 409,
      title: `${name} was changed meanwhile. Load it again and repeat the change.`,
      detail: error.title,
      where: error.where,
    },
    { cause: error },
  );
}
