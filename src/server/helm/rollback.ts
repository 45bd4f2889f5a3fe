import type { JobPlan } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { inInstallOrder, inUninstallOrder } from '../../kube/helm.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { JobContext, JobDefinition, JobHandle } from '../jobs/job.ts';
import { sendChange } from '../objects/send.ts';
import { applyObject, deleteObject } from './apply.ts';
import type { ReleaseName } from './ownership.ts';
import type { StoredRelease } from '../objects/release/decode.ts';
import { createRevision, updateRevision, withInfo } from '../objects/release/encode.ts';
import { hookBlock, hookNote } from './hooks.ts';
import {
  identityOf,
  namespacesTouched,
  needsOfRelease,
  objectsOf,
  type PlacedObject,
  placeObjects,
  requireChange,
} from './manifest.ts';
import { maskManifest } from '../objects/release/mask.ts';
import { readRevision } from '../objects/release/read.ts';
import { type ChangeableRevisions, changeableRevisions } from './storage.ts';
import { refusedSentence, type Trial, tryAll } from './trial.ts';

const events = ['pre-rollback', 'post-rollback'];

interface Parts extends ChangeableRevisions {
  /** Where it is stored. */
  readonly place: { readonly namespace: string; readonly name: string };
  /** Where it is installed, as its objects name it. */
  readonly release: ReleaseName;
  /** The newest revision, which made the present objects. */
  readonly current: StoredRelease;
  readonly target: StoredRelease;
  /** In the order in which they are made. */
  readonly wanted: readonly PlacedObject[];
  /** Those of the present manifest that the other has not, in the order in which they go. */
  readonly leaving: readonly PlacedObject[];
  readonly before: ReadonlyMap<string, PlacedObject>;
}

/** Where the release of a job is. */
export function releasePlace({ address }: Pick<JobContext, 'address'>): Parts['place'] {
  return { namespace: address.namespace ?? '', name: address.name };
}

async function partsOf(context: JobContext): Promise<Parts> {
  const { transport, args } = context;
  const place = releasePlace(context);
  const { kept, storage } = await changeableRevisions(transport, place);
  const newest = kept[0]?.revision ?? 0;
  const revision = Number(args['revision']);
  if (revision === newest) {
    throw new Problem({ status: 409, title: `${place.name} is at revision ${revision} already.` });
  }
  const current = await readRevision(transport, { ...place, revision: newest, storage });
  const target = await readRevision(transport, { ...place, revision, storage });
  const present = await placeObjects(objectsOf(current.manifest), current.namespace, context);
  const wanted = await placeObjects(objectsOf(target.manifest), current.namespace, context);
  const ids = new Set(wanted.map(identityOf));
  return {
    place,
    release: { name: place.name, namespace: current.namespace },
    kept,
    storage,
    current,
    target,
    wanted: inInstallOrder(wanted),
    leaving: inUninstallOrder(present.filter((one) => !ids.has(identityOf(one)))),
    before: new Map(present.map((one) => [identityOf(one), one])),
  };
}

/** Why nothing can be begun with a release as it stands; undefined when it can. */
export function busyReason({
  name,
  status,
  revision,
}: Pick<StoredRelease, 'name' | 'status' | 'revision'>): string | undefined {
  if (!status.startsWith('pending-') && status !== 'uninstalling') return undefined;
  return `${name} is ${status.replace('-', ' ')} at revision ${revision}: another operation is in progress or was interrupted. Wait for it to finish, or repair the release with helm.`;
}

/** Rolls a release back as `helm rollback` does: a new revision of what an earlier one was. */
export const releaseRollback: JobDefinition = {
  async plan(context): Promise<JobPlan> {
    const parts = await partsOf(context);
    const { current, target } = parts;
    await requireAll(context, parts);
    const trials = await tryAll(context.transport, parts);
    const unchecked = trials.filter((one) => one.unchecked !== undefined);
    return {
      lines: planLines(parts, trials),
      notes: [
        `Revision ${current.revision + 1} will have the contents of revision ${target.revision}.`,
        ...unchecked.map((one) => `${one.object.title} was not tried. ${one.unchecked ?? ''}`),
        ...hookNote(target, events),
      ],
      blocked: busyReason(current) ?? hookBlock(target, events) ?? refusedSentence(trials) ?? null,
      texts: { before: maskManifest(current.manifest), after: maskManifest(target.manifest) },
    };
  },

  async prepare(context) {
    const parts = await partsOf(context);
    const blocked = busyReason(parts.current) ?? hookBlock(parts.target, events);
    if (blocked !== undefined) throw new Problem({ status: 409, title: blocked });
    await requireAll(context, parts);
    return {
      title: `Roll back ${parts.place.name} to revision ${parts.target.revision}`,
      namespaces: namespacesTouched(parts.place, [...parts.wanted, ...parts.leaving]),
      needs: needsOfRelease(context, parts.place, [...parts.wanted, ...parts.leaving]),
      afterCancel: `Its objects may now be a mix of two revisions: roll back again, to ${parts.target.revision} or to ${parts.current.revision}.`,
      run: (handle) => runRollback(context, handle, parts),
    };
  },
};

const groups = ['Refused', 'Deleted', 'Created', 'Changed', 'Same in both revisions', 'Stay'];

function planLines({ leaving, before }: Parts, trials: readonly Trial[]): JobPlan['lines'] {
  const left = new Set(leaving);
  const lines: JobPlan['lines'] = trials.map(({ object: one, isThere, refusal }) => {
    const name = one.title;
    const old = before.get(identityOf(one));
    if (refusal !== undefined) return { group: 'Refused', name, about: refusal, tone: 'bad' };
    if (left.has(one)) return { group: 'Deleted', name, about: 'not in that revision', tone: 'bad' };
    if (!isThere) return { group: 'Created', name, about: null, tone: 'info' };
    if (old !== undefined && JSON.stringify(old.object) === JSON.stringify(one.object)) {
      const about = 'only what was changed by hand meanwhile is set back';
      return { group: 'Same in both revisions', name, about, tone: 'idle' };
    }
    return { group: 'Changed', name, about: null, tone: 'info' };
  });
  for (const { isKept, title } of leaving)
    if (isKept) lines.push({ group: 'Stay', name: title, about: 'the chart says to keep it', tone: 'idle' });
  return lines.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
}

/** Changing a release needs the permission to change each of its objects, of both manifests. */
async function requireAll(context: JobContext, { wanted, leaving }: Parts): Promise<void> {
  await requireChange(context, [...wanted, ...leaving]);
}

const tryStep = 'Try every object';
const recordStep = 'Keep the new revision';
const endStep = 'Mark the revisions';

async function runRollback(context: JobContext, handle: JobHandle, parts: Parts): Promise<string> {
  const { transport, clock, kind } = context;
  const { place, release, kept, storage, current, target, wanted, leaving, before } = parts;
  const revision = current.revision + 1;
  const now = clock.now();
  const description = `Rollback to ${target.revision}`;
  const raw = (status: string, text: string) =>
    withInfo(
      // As Helm does: what was installed elsewhere once is installed where the release is now.
      { ...target.raw, namespace: release.namespace, version: revision },
      { status, description: text, last_deployed: new Date(now).toISOString(), ...firstOf(current) },
    );
  const keep = async (status: string, text = description) => {
    const own = { ...place, storage, revision, status };
    await sendChange(transport, await updateRevision(raw(status, text), own, clock.now()), false);
  };
  handle.steps([
    { name: tryStep },
    { name: recordStep },
    ...wanted.map(({ title }) => ({ name: title })),
    ...leaving.map(({ title, isKept }) => ({
      name: title,
      ...(isKept ? { skipped: 'stays: the chart says to keep it' } : {}),
    })),
    { name: endStep },
  ]);
  handle.step(tryStep, 'running');
  await requireAll(context, parts);
  // Nothing is written before the cluster takes all of it: a release half rolled back is worse than none.
  const refused = refusedSentence(await tryAll(transport, parts));
  if (refused !== undefined) throw new Problem({ status: 422, title: refused });
  handle.step(tryStep, 'done');
  handle.signal.throwIfAborted();
  handle.step(recordStep, 'running');
  await context.require(kind.permissions.manage, { namespace: place.namespace });
  await beginRevision(context, parts, raw('pending-rollback', description), revision);
  handle.step(recordStep, 'done', `revision ${revision}`);
  handle.message(`Revision ${revision} is being created.`);
  try {
    for (const one of wanted) {
      handle.signal.throwIfAborted();
      handle.step(one.title, 'running');
      await requireChange(context, [one]);
      await applyObject(transport, one, before.get(identityOf(one))?.object, release);
      handle.step(one.title, 'done');
    }
    for (const one of leaving) {
      if (one.isKept) continue;
      handle.signal.throwIfAborted();
      handle.step(one.title, 'running');
      await requireChange(context, [one]);
      await deleteObject(transport, one, release);
      handle.step(one.title, 'done', 'deleted');
    }
  } catch (error) {
    // As Helm does: the new revision failed, and says why.
    const said = error instanceof Problem ? error.title : 'it was stopped';
    await keep('failed', `Rollback "${place.name}" failed: ${said}`);
    throw error;
  }
  handle.step(endStep, 'running');
  for (const one of kept.filter(({ status }) => status === 'deployed')) {
    const own = { ...place, storage, revision: one.revision };
    const old = await readRevision(transport, own);
    const change = await updateRevision(
      withInfo(old.raw, { status: 'superseded' }),
      { ...own, status: 'superseded' },
      clock.now(),
    );
    await sendChange(transport, change, false);
  }
  await keep('deployed');
  handle.step(endStep, 'done');
  return `${place.name} is now at revision ${revision}, with the contents of revision ${target.revision}.`;
}

const firstOf = ({ raw }: StoredRelease) => {
  const info = raw['info'];
  const first: unknown =
    typeof info === 'object' && info !== null && 'first_deployed' in info ? info.first_deployed : undefined;
  return first === undefined ? {} : { first_deployed: first };
};

/** The name of the new revision's record is the lock: of two operations at a time one gets it. */
async function beginRevision(
  { transport, clock }: JobContext,
  { place, storage, target }: Parts,
  raw: Readonly<Record<string, unknown>>,
  revision: number,
): Promise<void> {
  try {
    const own = { ...place, storage, revision, status: 'pending-rollback', labels: target.labels };
    await sendChange(transport, await createRevision(raw, own, clock.now()), false);
  } catch (error) {
    if (!(error instanceof ClusterProblem) || error.upstream.status !== 409) throw error;
    throw new Problem({
      status: 409,
      title: `Another operation on ${place.name} is in progress: revision ${revision} was just created. Check the release, then start again.`,
    });
  }
}
