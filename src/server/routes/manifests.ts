import type { manifestEndpoints } from '../../contract/manifests.ts';
import { groupOf } from '../../registry/kinds/refs.ts';
import type { Member } from '../access/person.ts';
import { requireConfirmation, requireWritable } from '../actions/protection.ts';
import { writtenVersions } from '../audit/written.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { Handlers } from '../http/handlers.ts';
import { applyAll, hasGraveChange } from '../manifests/apply.ts';
import { checkOne } from '../manifests/check.ts';
import { answerOf, createAll } from '../manifests/create.ts';
import { type ManifestObject, objectsOf } from '../manifests/objects.ts';
import { auditedObjects } from '../manifests/place.ts';
import type { ManifestRun } from '../manifests/run.ts';
import type { RouteParts } from './parts.ts';

/** Objects of one call that are asked about at a time. */
const concurrency = 4;

/** Objects from YAML. Every document is judged by its own kind: creating resources is no way round other permissions. */
export function manifestHandlers({
  clusters,
  grants,
  hub,
  kinds,
  parser,
}: Pick<RouteParts, 'clusters' | 'grants' | 'hub' | 'kinds' | 'parser'>): Handlers<typeof manifestEndpoints> {
  const runOf = async (
    person: Member,
    cluster: ManifestRun['cluster'],
    log: ManifestRun['log'],
    onWritten: ManifestRun['onWritten'] = () => undefined,
  ): Promise<ManifestRun> => ({
    person,
    cluster,
    grants,
    kinds,
    log,
    transport: await clusters.acting({ person, cluster }),
    onWritten,
  });
  /** Has dashboards count a kind soon: the created object may be the first of it. */
  const expectObjects = (cluster: ManifestRun['cluster'], objects: readonly ManifestObject[]) => {
    const { customKinds } = hub.live(cluster);
    for (const { apiVersion, kind } of objects) customKinds.expect({ group: groupOf(apiVersion), kind });
  };
  return {
    async createResource({ body }, { person, cluster, audit, log, signal }) {
      const asker = { who: person.id, isDraft: false, signal };
      const objects = objectsOf(await parser.parse(body.yaml, asker));
      await audit.record('resource.create', auditedObjects(objects));
      requireWritable(cluster);
      const written: Parameters<ManifestRun['onWritten']>[0][] = [];
      const run = await runOf(person, cluster, log, (one) => void written.push(one));
      const done = await createAll(run, objects);
      const failed = done.filter(({ result }) => !result.ok).length;
      audit.subject({ failed, ...writtenVersions(written) });
      expectObjects(cluster, objects);
      return answerOf(done);
    },
    async applyResource({ body }, { person, cluster, audit, log, signal, proveAct }) {
      const { dryRun, takeOver, confirm } = body;
      const asker = { who: person.id, isDraft: false, signal };
      const objects = objectsOf(await parser.parse(body.yaml, asker));
      await audit.record('resource.apply', {
        ...auditedObjects(objects),
        dryRun,
        takenOver: takeOver.length,
      });
      requireWritable(cluster);
      const written: Parameters<ManifestRun['onWritten']>[0][] = [];
      const run = await runOf(person, cluster, log, (one) => void written.push(one));
      // One passkey for the text, as for many objects of one action, and before any of it is applied.
      if (!dryRun && cluster.isPasskeyRequired && (await hasGraveChange(run, objects))) await proveAct();
      const results = await applyAll(run, objects, {
        dryRun,
        takeOver: new Set(takeOver),
        confirm,
      });
      audit.subject({ failed: results.filter(({ ok }) => !ok).length, ...writtenVersions(written) });
      // Where the name was missing for all of them, the call is refused as that of any other act.
      if (!dryRun && results.every(({ mustConfirm }) => mustConfirm === true))
        requireConfirmation(cluster, confirm);
      if (!dryRun) expectObjects(cluster, objects);
      return { results };
    },
    async checkResource({ body }, { person, cluster, log }) {
      const run = await runOf(person, cluster, log);
      const limiter = createLimiter(concurrency);
      const checks = await Promise.all(body.documents.map((one) => limiter.run(() => checkOne(run, one))));
      return { checks };
    },
  };
}
