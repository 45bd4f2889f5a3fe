import { type KubeChange, patchTypes } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import { createLimiter } from '../kit/limiter.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { isPlain } from '../objects/read.ts';
import { sendChange } from '../objects/send.ts';
import { applyChange, deletion, liveObject, removalsOf, sendHelmApply } from './apply.ts';
import { identityOf, type PlacedObject } from './manifest.ts';
import { strangerReason, type ReleaseName } from './ownership.ts';

/** Objects that are tried at a time. */
const concurrency = 6;

/** The cluster's answer to one object of a rollback before anything is written. */
export interface Trial {
  readonly object: PlacedObject;
  /** Whether the object is on the cluster now. */
  readonly isThere: boolean;
  /** Why the cluster refuses it, a whole sentence. */
  readonly refusal?: string;
  /** Why it cannot be checked before it is written, a whole sentence. */
  readonly unchecked?: string;
}

/** The objects to try. */
export interface Trials {
  readonly release: ReleaseName;
  /** In the order in which they are made. */
  readonly wanted: readonly PlacedObject[];
  readonly leaving: readonly PlacedObject[];
  /** The present manifest, by `identityOf`. */
  readonly before: ReadonlyMap<string, PlacedObject>;
}

/**
 * Has the cluster check every object of a rollback by server dry runs: it admits and validates all and stores nothing.
 * Throws Problem when the cluster cannot be asked.
 */
export async function tryAll(transport: Transport, trials: Trials): Promise<readonly Trial[]> {
  const { release, wanted, leaving, before } = trials;
  const limiter = createLimiter(concurrency);
  const made = new Set(wanted.filter(({ kind }) => kind === 'Namespace').map(({ name }) => name));
  const applied = wanted.map((object) =>
    limiter.run(async (): Promise<Trial> => {
      const live = await liveObject(transport, object.path);
      const old = before.get(identityOf(object))?.object;
      const trial = { object, isThere: live !== undefined };
      const { namespace } = object.address;
      const stranger = live && strangerReason(live, release);
      if (stranger !== undefined) return { ...trial, refusal: stranger };
      return await judged(trial, () => tryApply(transport, { object, live, old, release }), {
        isInNewNamespace: live === undefined && namespace !== undefined && made.has(namespace),
      });
    }),
  );
  const deleted = leaving
    .filter(({ isKept }) => !isKept)
    .map((object) =>
      limiter.run(async (): Promise<Trial> => {
        const trial = { object, isThere: true };
        const live = await liveObject(transport, object.path);
        const stranger = live && strangerReason(live, release);
        if (stranger !== undefined) return { ...trial, refusal: stranger };
        return await judged(trial, () => sendChange(transport, deletion(object), true), {
          isInNewNamespace: false,
        });
      }),
    );
  return await Promise.all([...applied, ...deleted]);
}

async function judged(
  trial: Trial,
  run: () => Promise<unknown>,
  { isInNewNamespace }: { readonly isInNewNamespace: boolean },
): Promise<Trial> {
  try {
    await run();
    return trial;
  } catch (error) {
    if (!(error instanceof ClusterProblem)) throw error;
    const { status, body } = error.upstream;
    // It says nothing of the object. What has values of the wrong type is answered by 500.
    if (status === undefined || status > 500 || status === 401 || status === 429) throw error;
    if (status === 404 && trial.isThere) return trial;
    if (status === 404 && isInNewNamespace)
      return { ...trial, unchecked: 'It cannot be dry-run because its namespace does not exist yet.' };
    if (/does not support dry ?run/i.test(body?.message ?? ''))
      return { ...trial, unchecked: 'An admission webhook of the cluster does not support dry runs.' };
    return { ...trial, refusal: error.title };
  }
}

interface Applied {
  readonly object: PlacedObject;
  readonly live: KubeObject | undefined;
  /** As the present manifest has it. */
  readonly old: KubeObject | undefined;
  readonly release: ReleaseName;
}

/**
 * Dry-runs what `applyObject` does. It removes fields in two further steps, which no dry run can combine: a change that
 * is refused alone but accepted together with its removals counts as accepted.
 */
async function tryApply(transport: Transport, { object, live, old, release }: Applied): Promise<void> {
  const change = applyChange(object, release);
  const gone = live === undefined || old === undefined ? undefined : removalsOf(old, change.body);
  const { path } = change;
  const merge = (body: unknown): KubeChange => ({
    method: 'PATCH',
    path,
    contentType: patchTypes.merge,
    body,
  });
  try {
    await sendHelmApply(transport, change, true);
    if (gone !== undefined) await sendChange(transport, merge(gone), true);
  } catch (error) {
    const isInvalid = error instanceof ClusterProblem && error.upstream.status === 422;
    if (!isInvalid || gone === undefined) throw error;
    await sendChange(transport, merge(together({ ...change.body }, gone)), true).catch((reason: unknown) => {
      throw reason instanceof ClusterProblem && reason.upstream.status !== 422 ? reason : error;
    });
  }
}

/** A manifest with the nulls of what is taken away. */
function together(
  manifest: Readonly<Record<string, unknown>>,
  gone: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const both: Record<string, unknown> = { ...manifest };
  for (const [key, value] of Object.entries(gone)) {
    const own = both[key];
    both[key] = isPlain(own) && isPlain(value) ? together(own, value) : value;
  }
  return both;
}

/** Objects that were refused, in a sentence; undefined without any. */
export function refusedSentence(trials: readonly Trial[]): string | undefined {
  const refused = trials.filter(({ refusal }) => refusal !== undefined);
  if (refused.length === 0) return undefined;
  const shown = refused.slice(0, 3).map(({ object, refusal = '' }) => `${object.title}: ${refusal}`);
  const more = refused.length > shown.length ? ` And ${refused.length - shown.length} more.` : '';
  return `The cluster rejects ${refused.length === 1 ? 'an object' : `${refused.length} objects`} of that revision, so nothing was changed. ${shown.join(' ')}${more}`;
}
