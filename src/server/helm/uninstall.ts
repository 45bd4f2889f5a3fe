import { Problem } from '../../contract/problem.ts';
import { objectPath } from '../../kube/change.ts';
import { inUninstallOrder } from '../../kube/helm.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { JobContext, JobDefinition, JobHandle } from '../jobs/job.ts';
import { sendChange } from '../objects/send.ts';
import { deleteObject, liveObject } from './apply.ts';
import type { StoredRelease } from '../objects/release/decode.ts';
import { revisionAddress, updateRevision, withInfo } from '../objects/release/encode.ts';
import { hookBlock, hookNote } from './hooks.ts';
import {
  namespacesTouched,
  needsOfRelease,
  objectsOf,
  type PlacedObject,
  placeObjects,
  requireChange,
} from './manifest.ts';
import { strangerReason, type ReleaseName } from './ownership.ts';
import { maskManifest } from '../objects/release/mask.ts';
import { readRevision } from '../objects/release/read.ts';
import { busyReason, releasePlace } from './rollback.ts';
import { type ChangeableRevisions, changeableRevisions } from './storage.ts';

const events = ['pre-delete', 'post-delete'];

interface Parts extends ChangeableRevisions {
  /** Where it is stored. */
  readonly place: { readonly namespace: string; readonly name: string };
  /** Where it is installed, as its objects name it. */
  readonly release: ReleaseName;
  readonly current: StoredRelease;
  /** In the order in which they go. */
  readonly objects: readonly PlacedObject[];
}

async function partsOf(context: JobContext): Promise<Parts> {
  const place = releasePlace(context);
  const { kept, storage } = await changeableRevisions(context.transport, place);
  const revision = kept[0]?.revision ?? 0;
  const current = await readRevision(context.transport, { ...place, revision, storage });
  const objects = await placeObjects(objectsOf(current.manifest), current.namespace, context);
  await requireChange(context, objects);
  const release = { name: place.name, namespace: current.namespace };
  return { place, release, kept, storage, current, objects: inUninstallOrder(objects) };
}

/** One that was broken off while it was taken away is taken away by doing it again. */
const blockOf = (current: StoredRelease) =>
  (current.status === 'uninstalling' ? undefined : busyReason(current)) ?? hookBlock(current, events);

/** Takes a release away as `helm uninstall` does: its objects, then all that is kept of its revisions. */
export const releaseUninstall: JobDefinition = {
  async plan(context) {
    const { current, objects, kept, release } = await partsOf(context);
    const lines = [];
    for (const one of objects) {
      const live = await liveObject(context.transport, one.path);
      const isThere = live !== undefined;
      const stranger = live && strangerReason(live, release);
      if (one.isKept)
        lines.push({
          group: 'Stay',
          name: one.title,
          about: 'the chart says to keep it',
          tone: 'idle' as const,
        });
      else if (stranger !== undefined)
        lines.push({ group: 'Stay', name: one.title, about: stranger, tone: 'idle' as const });
      else if (isThere) lines.push({ group: 'Deleted', name: one.title, about: null, tone: 'bad' as const });
      else lines.push({ group: 'Already gone', name: one.title, about: null, tone: 'idle' as const });
    }
    const stays = objects.filter(({ isKept }) => isKept);
    return {
      lines: lines.toSorted((a, b) => a.group.localeCompare(b.group, 'en')),
      notes: [
        `The stored revisions of ${kept.length === 1 ? 'its one revision' : `its ${kept.length} revisions`} are deleted too, so it cannot be rolled back afterwards.`,
        'Custom resource definitions from the chart’s “crds” folder stay, as with helm.',
        ...hookNote(current, events),
      ],
      blocked: blockOf(current) ?? null,
      texts: {
        before: maskManifest(current.manifest),
        after:
          stays.length === 0 ? '' : `# What stays\n${stays.map(({ title }) => `# ${title}`).join('\n')}\n`,
      },
    };
  },

  async prepare(context) {
    const parts = await partsOf(context);
    const blocked = blockOf(parts.current);
    if (blocked !== undefined) throw new Problem({ status: 409, title: blocked });
    return {
      title: `Uninstall ${parts.place.name}`,
      namespaces: namespacesTouched(parts.place, parts.objects),
      needs: needsOfRelease(context, parts.place, parts.objects),
      afterCancel: 'The rest of the release is still listed: uninstall it again, or roll it back.',
      run: (handle) => runUninstall(context, handle, parts),
    };
  },
};

const beginStep = 'Mark the release';
const endStep = 'Delete its stored revisions';

async function runUninstall(context: JobContext, handle: JobHandle, parts: Parts): Promise<string> {
  const { transport, clock, kind } = context;
  const { place, release, kept, storage, current, objects } = parts;
  const own = { ...place, storage, revision: current.revision };
  handle.steps([
    { name: beginStep },
    ...objects.map(({ title, isKept }) => ({
      name: title,
      ...(isKept ? { skipped: 'stays: the chart says to keep it' } : {}),
    })),
    { name: endStep },
  ]);
  handle.step(beginStep, 'running');
  await context.require(kind.permissions.manage, { namespace: place.namespace });
  const deleted = new Date(clock.now()).toISOString();
  const info = { status: 'uninstalling', deleted, description: 'Deletion in progress (or silently failed)' };
  const mark = await updateRevision(
    withInfo(current.raw, info),
    { ...own, status: 'uninstalling' },
    clock.now(),
  );
  await sendChange(transport, mark, false);
  handle.step(beginStep, 'done');
  const failed: string[] = [];
  let strangers = 0;
  for (const one of objects) {
    if (one.isKept) continue;
    handle.signal.throwIfAborted();
    handle.step(one.title, 'running');
    await requireChange(context, [one]);
    try {
      const live = await liveObject(transport, one.path);
      const stranger = live && strangerReason(live, release);
      if (stranger !== undefined) {
        handle.step(one.title, 'done', 'stays: it does not belong to the release');
        strangers += 1;
        continue;
      }
      await deleteObject(transport, one, release);
      handle.step(one.title, 'done', 'deleted');
    } catch (error) {
      // As Helm does: the others go all the same.
      if (!(error instanceof ClusterProblem)) throw error;
      failed.push(one.title);
      handle.step(one.title, 'failed', error.title);
    }
  }
  if (failed.length > 0) {
    throw new Problem({
      status: 409,
      title: `${failed.length} of its objects could not be deleted: ${failed.slice(0, 3).join(', ')}. The release is kept: fix that and uninstall it again.`,
    });
  }
  handle.step(endStep, 'running');
  await context.require(kind.permissions.manage, { namespace: place.namespace });
  for (const { revision } of kept.toReversed()) {
    try {
      const path = objectPath(revisionAddress({ ...place, storage, revision }));
      await sendChange(transport, { method: 'DELETE', path }, false);
    } catch (error) {
      if (!(error instanceof ClusterProblem) || error.upstream.status !== 404) throw error;
    }
  }
  handle.step(endStep, 'done');
  const stays = objects.filter(({ isKept }) => isKept).length;
  const count = (many: number) => (many === 1 ? 'One object stays' : `${many} objects stay`);
  const asSaid = stays === 0 ? '' : ` ${count(stays)}, as the chart says.`;
  const foreign = strangers === 0 ? '' : ` ${count(strangers)}, as other releases or people own them.`;
  return `${place.name} is uninstalled.${asSaid}${foreign}`;
}
