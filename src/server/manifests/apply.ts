import type { ApplyResult, FieldConflict } from '../../contract/manifests.ts';
import { objectPath } from '../../kube/change.ts';
import { storable } from '../../kube/editable.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import { isDestructive } from '../../registry/kinds/destructive-change.ts';
import { Problem } from '../../contract/problem.ts';
import { isGraveOnCluster } from '../actions/grave-changes.ts';
import { requireConfirmation } from '../actions/protection.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import { presentObject } from '../objects/present.ts';
import { isPlain, objectIn } from '../objects/read.ts';
import { sendApply } from '../objects/send.ts';
import type { ManifestObject } from './objects.ts';
import type { Placed } from './place.ts';
import { called, isAway, type ManifestRun, permitted, type Refused, refusedBy } from './run.ts';

/** How objects are applied. */
export interface ApplyOptions {
  readonly dryRun: boolean;
  /** Objects, by `at`, whose conflicting fields are taken from their owners. */
  readonly takeOver: ReadonlySet<number>;
  /** The cluster's name, typed. */
  readonly confirm: string | undefined;
}

/** Bytes that the objects of one answer may have together, as JSON. */
const maxListed = 16 * 1024 * 1024;

/** Applies objects one after the other, each by server-side apply. A conflict changes nothing. */
export async function applyAll(
  run: ManifestRun,
  objects: readonly ManifestObject[],
  options: ApplyOptions,
): Promise<ApplyResult[]> {
  const done: ApplyResult[] = [];
  let left = maxListed;
  let away: string | undefined;
  for (const object of objects) {
    let placed: Placed | undefined;
    if (away !== undefined) {
      done.push({ ...base(object, undefined), ok: false, status: 502, message: `Skipped: ${away}` });
      continue;
    }
    try {
      placed = await permitted(run, object);
      const result = await apply(run, object, placed, options);
      left -= result.before === undefined && result.after === undefined ? 0 : JSON.stringify(result).length;
      const { before: _before, after: _after, ...short } = result;
      done.push(
        left > 0 ? result : { ...short, message: `${short.message} The change is too large to show.` },
      );
    } catch (error) {
      const conflicts = conflictsOf(error);
      const { status, message, fields, problem } = refusedBy(run, error, object);
      if (isAway(error)) away = message;
      const sentence =
        conflicts.length === 0
          ? message
          : `${called(object, placed)} has fields that other managers own. It was not changed.`;
      done.push({
        ...base(object, placed),
        ok: false,
        status,
        message: sentence,
        conflicts,
        ...(fields.length === 0 ? {} : { fields: [...fields] }),
        ...(isUnconfirmed(problem) ? { mustConfirm: true } : {}),
        ...(problem?.lacking === undefined ? {} : { lacking: problem.lacking }),
      });
    }
  }
  return done;
}

/** Whether applying one of some objects does to it what a dangerous act does. Those that the person may not apply do not count. */
export async function hasGraveChange(run: ManifestRun, objects: readonly ManifestObject[]): Promise<boolean> {
  for (const object of objects) {
    const placed = await permitted(run, object).catch((error: unknown) => {
      if (error instanceof Problem) return undefined;
      throw error;
    });
    if (placed === undefined || object.name === undefined) continue;
    const { path, body } = changeOf(object, placed, object.name);
    if (await isGraveOnCluster(run.transport, { kind: placed.kind, path, wanted: body })) return true;
  }
  return false;
}

/** The request that applies an object. */
function changeOf({ body: written }: ManifestObject, { kind, namespace }: Placed, name: string) {
  const body = storable(written, kind.group);
  const metadata = isPlain(body['metadata']) ? body['metadata'] : {};
  return {
    path: objectPath({ ...kind, namespace, name }),
    body: { ...body, metadata: namespace === undefined ? metadata : { ...metadata, namespace } },
  };
}

async function apply(
  run: ManifestRun,
  object: ManifestObject,
  placed: Placed,
  { dryRun, takeOver, confirm }: ApplyOptions,
): Promise<ApplyResult> {
  const { kind } = placed;
  const { name } = object;
  const named = called(object, placed);
  if (name === undefined) {
    return {
      ...base(object, placed),
      ok: false,
      status: 400,
      message: 'Only an object with a name can be applied.',
    };
  }
  const change = changeOf(object, placed, name);
  const { isProtected } = run.cluster;
  const mayAsk = isProtected && (dryRun || confirm !== run.cluster.name);
  const before = dryRun || mayAsk ? await readIfAny(run, change.path) : undefined;
  const send = async (isTried: boolean) => {
    const options = { dryRun: isTried, force: takeOver.has(object.at) };
    return objectIn(await sendApply(run.transport, change, options), run.cluster.name);
  };
  // What an apply leads to is for the cluster to say: fields that are left out may go.
  const tried = mayAsk && before !== undefined ? await send(true) : undefined;
  const mustConfirm = tried !== undefined && isDestructive(kind, before, tried);
  if (mustConfirm && !dryRun) requireConfirmation(run.cluster, confirm);
  const after = dryRun && tried !== undefined ? tried : await send(dryRun);
  if (!dryRun) run.onWritten(after.metadata);
  const message = !dryRun
    ? `${named} was applied.`
    : before === undefined
      ? `${named} would be created.`
      : `${named} already exists and would be changed.`;
  return {
    ...base(object, placed),
    ok: true,
    status: 200,
    message,
    ...(mustConfirm && dryRun ? { mustConfirm } : {}),
    ...(dryRun && before !== undefined ? { before: presentObject(kind, before) } : {}),
    ...(dryRun ? { after: presentObject(kind, after) } : {}),
  };
}

async function readIfAny(run: ManifestRun, path: string): Promise<KubeObject | undefined> {
  try {
    return objectIn(await run.transport.json<unknown>({ path }), run.cluster.name);
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return undefined;
    throw error;
  }
}

/** Whether it was refused for want of the cluster's name. */
const isUnconfirmed = (problem: Refused['problem']) =>
  problem?.issues.some(({ path }) => path === 'confirm') === true;

/** The fields of a 409 that others own: `conflict with "kubectl" using apps/v1`. */
function conflictsOf(error: unknown): FieldConflict[] {
  if (!(error instanceof ClusterProblem) || error.upstream.status !== 409) return [];
  const causes: unknown = error.upstream.body?.details?.causes;
  if (!Array.isArray(causes)) return [];
  return causes.slice(0, 200).flatMap((cause: unknown) => {
    if (!isPlain(cause) || cause['reason'] !== 'FieldManagerConflict') return [];
    const { field, message } = cause;
    const manager = /conflict with "([^"]*)"/.exec(typeof message === 'string' ? message : '')?.[1];
    return [
      {
        // Written as everywhere else: without the dot that a path of managed fields begins with.
        field: cleanText(typeof field === 'string' ? field : '')
          .replace(/^\./, '')
          .slice(0, 500),
        manager: cleanText(manager ?? 'somebody else').slice(0, 200),
      },
    ];
  });
}

function base(object: ManifestObject, placed: Placed | undefined) {
  return {
    at: object.at,
    index: object.index,
    kind: object.kind,
    namespace: (placed === undefined ? object.namespace : placed.namespace) ?? null,
    name: object.name ?? object.generateName ?? '',
    conflicts: [],
  };
}
