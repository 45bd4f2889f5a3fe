import { z } from 'zod';
import type { ReleaseResource } from '../../contract/releases.ts';
import { redactText } from '../kit/redact-text.ts';
import { name, queryOf } from './named-object.ts';
import { objectTool } from './tool-of-object.ts';
import { redactValue } from './redaction.ts';
import { type ToldObject, ToldSight } from './sight.ts';
import { fitItems, tool } from './tool.ts';

export const rollout = objectTool({
  name: 'rollout',
  description: 'The revisions of a workload with their images, the newest first.',
  about: (text) => `Revisions of ${text}`,
  async run(named, { calls, clusterId }) {
    const { revisions } = await calls.read('revisions', {
      params: { clusterId, kind: named.kind, name: named.name },
      query: queryOf(named),
    });
    const { items, note } = fitItems(
      revisions.map(({ revision, isCurrent, createdAt, images, cause }) => ({
        revision,
        isCurrent,
        createdAt,
        images: redactValue(images),
        cause: cause === null ? null : redactText(cause),
      })),
    );
    return { summary: `${revisions.length} revisions.`, data: { revisions: items, note } };
  },
});

/** The objects of a release that the person may view: what is told of the others would tell that they are there. */
async function visibleResources(
  resources: readonly ReleaseResource[],
  sight: ToldSight,
): Promise<{
  readonly resources: readonly ReleaseResource[];
  readonly objects: readonly ToldObject[];
}> {
  const seen: ReleaseResource[] = [];
  const objects: ToldObject[] = [];
  for (const resource of resources) {
    const { kindId, namespace: at, name: own } = resource;
    // Of a kind that the cluster does not have nobody knows who may view its objects.
    if (kindId === null) continue;
    const told = {
      kind: kindId,
      name: own,
      ...(at === null ? {} : { namespace: at }),
    };
    if ((await sight.refusal([told])) !== undefined) continue;
    seen.push(resource);
    objects.push(told);
  }
  return { resources: seen, objects };
}

export const helm = tool({
  name: 'helm',
  description: 'The history of a Helm release and the state of its objects. Values are never told.',
  input: z.object({ namespace: z.string().min(1).max(253), name }),
  about: ({ namespace: space, name: own }) => `Helm release ${space}/${own}`,
  names: (named) => [{ kind: 'release', ...named }],
  async run(named, parts) {
    const { calls, clusterId } = parts;
    const params = { clusterId, ...named };
    const { revisions } = await calls.read('releaseHistory', { params });
    const { resources } = await calls.read('releaseResources', { params });
    const sight = new ToldSight(await parts.reach(), parts.findKind);
    const seen = await visibleResources(resources, sight);
    const told = redactValue({
      revisions: fitItems(revisions, 2_500),
      resources: fitItems(seen.resources, 4_000),
    });
    return {
      summary: `${revisions.length} revisions, ${seen.resources.length} objects.`,
      data: told,
      objects: [{ kind: 'release', ...named }, ...seen.objects],
      evidence: [],
    };
  },
});
