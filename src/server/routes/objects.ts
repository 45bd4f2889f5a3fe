import type { ObjectBody, objectEndpoints, Revision } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { collectionPath, objectPath, patchTypes } from '../../kube/change.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { changePlace } from '../access/place.ts';
import { isDestructive } from '../../registry/kinds/destructive-change.ts';
import { isGraveOnCluster } from '../actions/grave-changes.ts';
import { requireConfirmation, requireWritable } from '../actions/protection.ts';
import { currentRevision, readRevisions, type Workload } from '../actions/revisions.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { readHistory } from '../helm/history.ts';
import type { Handlers } from '../http/handlers.ts';
import { addressOf, nameOf, namespaceOf } from '../objects/address.ts';
import { cleanValue, maxDepth, isTooDeep, presentObject, presentObjects } from '../objects/present.ts';
import { isPlain, objectIn, pageIn } from '../objects/read.ts';
import { readObject, requireApi } from '../objects/read-object.ts';
import { sendChange } from '../objects/send.ts';
import { inSteps } from '../kit/turns.ts';
import type { RouteParts } from './parts.ts';

const megabyte = 1024 * 1024;
/** One page of a list is held whole, in several forms, for each of the people who ask for one. */
const maxPageBytes = 32 * megabyte;

/** Objects of any kind: read, created and changed. Access and paths follow from the kind. */
export function objectHandlers(
  services: Pick<RouteParts, 'clusters' | 'grants'>,
): Handlers<typeof objectEndpoints> {
  const { clusters, grants } = services;
  return {
    async objects({ params, query }, { kind, cluster, signal }) {
      requireApi(kind);
      const transport = await clusters.transport(params.clusterId);
      // All namespaces without one.
      const namespace = query.namespace === undefined ? undefined : namespaceOf(kind, query.namespace);
      const list = await transport.json<unknown>({
        path: collectionPath(kind, namespace),
        query: { limit: query.limit, continue: query.continue, labelSelector: query.labelSelector },
        answerLimit: {
          bytes: maxPageBytes,
          sentence: `${query.limit} ${kind.title} of ${cluster.name} take more than ${maxPageBytes / megabyte} MB in one answer. Ask for fewer at a time (limit).`,
        },
        signal,
      });
      const { items, next } = pageIn(list, kind.title, cluster.name);
      return {
        items: await inSteps(presentObjects(kind, items), signal),
        ...(next === undefined ? {} : { continue: next }),
      };
    },
    async object({ params, query }, { kind, cluster, signal }) {
      const transport = await clusters.transport(params.clusterId);
      const ref = { namespace: query.namespace, name: params.name };
      return presentObject(kind, await readObject(transport, kind, ref, { cluster: cluster.name, signal }));
    },
    async createObject({ query, body }, { kind, cluster, person, audit }) {
      requireApi(kind);
      requireShallow(body.object);
      const fit = fitted(kind, body.object, query.namespace);
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
      return presentObject(kind, objectIn(created, cluster.name));
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
        const changed = await sendChange(transport, change, dryRun);
        return presentObject(kind, objectIn(changed, cluster.name));
      } catch (error) {
        throw changedMeanwhile(error, nameOf(kind, address));
      }
    },
    async revisions({ params, query }, { kind, cluster, signal }) {
      if (kind.source === 'helm') {
        const { namespace = '', name } = addressOf(kind, { namespace: query.namespace, name: params.name });
        return await releaseRevisions(await clusters.transport(params.clusterId), { namespace, name });
      }
      const source = kind.revisions;
      if (source === undefined) {
        throw new Problem({ status: 400, title: `${kind.title} keep no earlier revisions.` });
      }
      const address = addressOf(kind, { namespace: query.namespace, name: params.name });
      const transport = await clusters.transport(params.clusterId);
      const answer = await transport.json<unknown>({ path: objectPath(address), signal });
      const workload: Workload = objectIn(answer, cluster.name);
      const revisions = await readRevisions(transport, source, workload);
      const current = currentRevision(kind, workload, revisions);
      return {
        current: cleanValue(workload.spec?.template ?? null),
        revisions: revisions.map(({ number, keeper, template, images, cause }) => ({
          revision: number,
          isCurrent: number === current,
          createdAt: keeper.metadata?.creationTimestamp ?? null,
          images: images.filter((image) => typeof image === 'string').map(cleanText),
          cause: cause === undefined ? null : cleanText(cause),
          template: cleanValue(template),
        })),
      };
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

/** The revisions of a Helm release; what each would change, the plan of its roll back tells. */
async function releaseRevisions(
  transport: Transport,
  place: { readonly namespace: string; readonly name: string },
): Promise<{ current: null; revisions: Revision[] }> {
  const revisions = await readHistory(transport, place);
  return {
    current: null,
    revisions: revisions.map(
      ({ revision, updated, chart, chartVersion, appVersion, status, description }, index) => ({
        revision,
        isCurrent: index === 0,
        createdAt: updated,
        images: [`${chart} ${chartVersion}`.trim(), ...(appVersion === '' ? [] : [`app ${appVersion}`])],
        cause: [status, description].filter((part) => part !== '').join(': ') || null,
        template: null,
      }),
    ),
  };
}

/** Throws Problem 400 for an object or change of more levels than are sent. */
function requireShallow(value: unknown): void {
  if (!isTooDeep(value)) return;
  throw new Problem({
    status: 400,
    title: `This has more than ${maxDepth} levels of nesting, the maximum that this console sends.`,
  });
}

interface Fitted {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly body: ObjectBody;
}

/** An object as it is sent to its collection. Throws Problem 400 when it is of another kind or namespace. */
function fitted(kind: AnyKind, object: ObjectBody, wanted: string | undefined): Fitted {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  if ((object.kind ?? kind.kind) !== kind.kind || (object.apiVersion ?? apiVersion) !== apiVersion) {
    throw new Problem({
      status: 400,
      title: `This is a ${object.kind ?? '?'} of ${object.apiVersion ?? '?'}, not a ${kind.kind} of ${apiVersion}.`,
    });
  }
  const own = namespaceIn(object);
  if (own !== undefined && wanted !== undefined && own !== wanted) {
    throw new Problem({
      status: 400,
      title: `The object says namespace ${own}, the call says ${wanted}.`,
    });
  }
  const namespace = namespaceOf(kind, own ?? wanted);
  const metadata = { ...object.metadata, ...(namespace === undefined ? {} : { namespace }) };
  return {
    namespace,
    name: object.metadata?.name,
    body: { ...object, apiVersion, kind: kind.kind, metadata },
  };
}

/** Throws Problem 400 for a namespace that is no text. */
function namespaceIn({ metadata }: ObjectBody): string | undefined {
  const namespace = metadata?.['namespace'] ?? '';
  if (typeof namespace === 'string') return namespace || undefined;
  throw new Problem({ status: 400, title: 'The namespace of the object is not a string.' });
}
