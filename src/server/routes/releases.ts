import type { releaseEndpoints } from '../../contract/releases.ts';
import type { Reach } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { createLimiter } from '../kit/limiter.ts';
import { releaseContents } from '../helm/contents.ts';
import { readHistory } from '../helm/history.ts';
import { objectsOf } from '../helm/manifest.ts';
import { requireReadable } from '../helm/readable.ts';
import { resourceStatus } from '../helm/resource-status.ts';
import type { StoredRelease } from '../objects/release/decode.ts';
import { keptRevisions, readRevision } from '../objects/release/read.ts';
import type { Handlers } from '../http/handlers.ts';
import type { RouteParts } from './parts.ts';

/** Objects that are asked for at a time. */
const concurrency = 8;

/** Handlers of Helm releases. */
export function releaseHandlers({
  clusters,
  grants,
  kinds,
}: Pick<RouteParts, 'clusters' | 'grants' | 'kinds'>): Handlers<typeof releaseEndpoints> {
  /**
   * A revision, once the person was found to hold what it needs wherever it has objects. Throws Problem 403: its
   * manifest and values are those of all of them.
   */
  const readable = async (
    params: { readonly namespace: string; readonly name: string; readonly revision: number },
    { cluster, person }: { readonly cluster: Reach['cluster']; readonly person: Member },
  ): Promise<StoredRelease> => {
    const stored = await readRevision(await clusters.transport(cluster.id), params);
    const reach = await grants.access(person, cluster.id);
    await requireReadable(reach, stored, kinds);
    return stored;
  };

  return {
    async releaseHistory({ params }) {
      return { revisions: await readHistory(await clusters.transport(params.clusterId), params) };
    },
    async releaseResources({ params }, { person, cluster }) {
      const { name } = params;
      const transport = await clusters.transport(params.clusterId);
      const [newest] = await keptRevisions(transport, params.namespace, name);
      const revision = newest?.revision ?? 0;
      const asked = { ...params, revision, storage: newest?.storage };
      const { namespace, manifest } = await readRevision(transport, asked);
      const limiter = createLimiter(concurrency);
      const resources = await Promise.all(
        objectsOf(manifest).map((one) =>
          limiter.run(async () => {
            // By current grants: many objects of a slow cluster take minutes.
            const held = await grants.held(person, cluster.id);
            return await resourceStatus({ namespace, cluster, held, kinds, transport }, one);
          }),
        ),
      );
      const seen = resources.filter((one) => one !== undefined);
      return { resources: seen, leftOut: resources.length - seen.length };
    },
    async releaseContents({ params }, { person, cluster }) {
      // A script reads what nobody looks at: without the scope to reveal, ticked by its name, it gets no value at all.
      const mayReveal = person.token === null || person.token.scopes.has('secrets.reveal');
      return releaseContents(await readable(params, { person, cluster }), mayReveal ? 'credentials' : 'all');
    },
    async revealRelease({ params }, { person, cluster, audit }) {
      const { namespace, name, revision } = params;
      // Before anything is read: what is not on record is not shown.
      await audit.record('release.reveal', {
        kind: 'release',
        namespace,
        names: `${namespace}/${name}`,
        revision,
      });
      return releaseContents(await readable(params, { person, cluster }), 'nothing');
    },
  };
}
