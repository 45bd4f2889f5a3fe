import type { editEndpoints } from '../../contract/edit.ts';
import { Problem } from '../../contract/problem.ts';
import { objectPath, patchTypes } from '../../kube/change.ts';
import { ownersOfPaths } from '../../kube/field-owners.ts';
import { applyChanges, type JsonChange, pathText, pointerOf } from '../../kube/json-diff.ts';
import type { KubeObject } from '../../kube/object.ts';
import { isMasked } from '../../kube/masked.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { isDestructive } from '../../registry/kinds/destructive-change.ts';
import { isChangeGrave } from '../../registry/kinds/grave-change.ts';
import { requireConfirmation, requireWritable } from '../actions/protection.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Handlers } from '../http/handlers.ts';
import { withoutSecrets } from '../manifests/objects.ts';
import { addressOf, nameOf } from '../objects/address.ts';
import { maxDepth, isSecret, isTooDeep, presentObject, sourceObject } from '../objects/present.ts';
import { objectIn } from '../objects/read.ts';
import { refusedFields } from '../objects/refused-fields.ts';
import { fieldManager, sendChange } from '../objects/send.ts';
import type { RouteParts } from './parts.ts';

/**
 * Handlers that edit objects of any kind: only the changed fields are sent, and only if nobody changed the object
 * meanwhile.
 */
export function editHandlers({ clusters }: Pick<RouteParts, 'clusters'>): Handlers<typeof editEndpoints> {
  return {
    async editSource({ params, query }, { kind, cluster, signal }) {
      const transport = await clusters.transport(params.clusterId);
      const address = addressOf(kind, { namespace: query.namespace, name: params.name });
      const answer = await transport.json<unknown>({ path: objectPath(address), signal });
      const object = objectIn(answer, cluster.name);
      return { resourceVersion: versionOf(object), object: sourceObject(kind, object) };
    },

    async editObject({ params, query, body }, { person, kind, cluster, audit, proveAct }) {
      const { dryRun, resourceVersion, confirm } = body;
      const { namespace } = query;
      await audit.record('object.edit', {
        kind: kind.id,
        namespace: namespace ?? null,
        name: params.name,
        dryRun,
        // Names of fields only; keys of a Secret are visible to people who may view it.
        fields: body.changes
          .map(({ path }) => pathText(path.map(shortPart)))
          .join(', ')
          .slice(0, 2_000),
      });
      requireWritable(cluster);
      if (isTooDeep(body.changes)) {
        throw new Problem({
          status: 400,
          title: `This is nested more than ${maxDepth} levels deep, more than this console sends.`,
        });
      }
      if (isSecret(kind) && body.changes.some((change) => change.op !== 'remove' && hasMask(change.value))) {
        throw new Problem({
          status: 400,
          title: 'A masked value would be saved as it is displayed. Write the value itself.',
        });
      }
      const address = addressOf(kind, { namespace, name: params.name });
      const transport = await clusters.acting({ person, cluster });
      const path = objectPath(address);
      const before = objectIn(await transport.json<unknown>({ path }), cluster.name);
      const named = nameOf(kind, address);
      if (versionOf(before) !== resourceVersion) throw changedMeanwhile(named);
      const wanted = changed(before, body.changes, named);
      const destroys = isDestructive(kind, before, wanted);
      if (destroys && !dryRun) requireConfirmation(cluster, confirm);
      if (!dryRun && isChangeGrave(kind, before, wanted)) await proveAct();
      const patch = [
        // The cluster refuses it by this when somebody was faster after all.
        { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
        ...body.changes.map((change) => ({ ...change, path: pointerOf(change.path) })),
      ];
      try {
        const answer = await sendChange(
          transport,
          { method: 'PATCH', path, contentType: patchTypes.json, body: patch },
          dryRun,
          'Strict',
        );
        const after = objectIn(answer, cluster.name);
        const owners = ownersOfPaths(
          before,
          body.changes.map((change) => change.path),
          fieldManager,
        );
        return {
          resourceVersion: versionOf(after),
          ...(dryRun ? { before: presentObject(kind, before) } : {}),
          after: presentObject(kind, after),
          owners: owners
            .slice(0, 500)
            .map((owner) => ({ path: cleanText(pathText(owner.path)), manager: cleanText(owner.manager) })),
          isDestructive: destroys,
          mustConfirm: destroys && cluster.isProtected,
        };
      } catch (error) {
        throw explained(error, kind, named, body.changes);
      }
    },
  };
}

const hasMask = (value: unknown): boolean =>
  isMasked(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasMask));

const shortPart = (part: string | number) => (typeof part === 'string' ? part.slice(0, 100) : part);

const versionOf = (object: KubeObject) => object.metadata?.resourceVersion ?? '';

function changedMeanwhile(named: string, cause?: unknown): Problem {
  return new Problem(
    {
      status: 409,
      title: `${named} was changed on the cluster meanwhile. Review the changes, then save again.`,
      retryable: false,
      where: { source: 'cluster' },
    },
    { cause },
  );
}

/** The object as the changes leave it: what is judged for whether it ends pods or destroys something. */
function changed(before: KubeObject, changes: readonly JsonChange[], named: string): KubeObject {
  try {
    return objectIn(applyChanges(before, changes));
  } catch (error) {
    if (error instanceof RangeError) throw changedMeanwhile(named, error);
    throw error;
  }
}

/** A refusal for people: conflicts by name, fields by their path, no values of a Secret. */
function explained(error: unknown, kind: AnyKind, named: string, changes: readonly JsonChange[]): unknown {
  if (!(error instanceof ClusterProblem)) return error;
  if (error.upstream.status === 409 && error.upstream.reason === 'Conflict')
    return changedMeanwhile(named, error);
  const values = changes.map((change) => (change.op === 'remove' ? undefined : change.value));
  const cleaned = (sentence: string) =>
    isSecret(kind) ? withoutSecrets(sentence, { body: { kind: 'Secret', data: values } }) : sentence;
  const issues = refusedFields(error, cleaned);
  return new Problem(
    {
      status: error.status,
      title: cleaned(error.title),
      retryable: error.retryable,
      where: error.where,
      ...(issues.length === 0 ? {} : { issues: [...issues] }),
    },
    { cause: isSecret(kind) ? undefined : error },
  );
}
