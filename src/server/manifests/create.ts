import type { ManifestResult } from '../../contract/manifests.ts';
import { Problem } from '../../contract/problem.ts';
import { collectionPath } from '../../kube/change.ts';
import { storable } from '../../kube/editable.ts';
import { isPlain, objectIn } from '../objects/read.ts';
import { sendChange } from '../objects/send.ts';
import type { ManifestObject } from './objects.ts';
import type { Placed } from './place.ts';
import { called, isAway, type ManifestRun, permitted, type Refused, refusedBy } from './run.ts';

interface Created {
  readonly result: ManifestResult;
  readonly status: number;
  readonly problem?: Problem | undefined;
}

/**
 * Creates objects one after the other, in their order: a namespace before what is in it. Once the cluster does not
 * answer, the others are not tried.
 */
export async function createAll(
  run: ManifestRun,
  objects: readonly ManifestObject[],
): Promise<readonly Created[]> {
  const done: Created[] = [];
  let away: string | undefined;
  for (const object of objects) {
    if (away !== undefined) {
      done.push(failed(object, undefined, { status: 502, message: `Skipped: ${away}` }));
      continue;
    }
    let placed: Placed | undefined;
    try {
      placed = await permitted(run, object);
      done.push(await create(run, object, placed));
    } catch (error) {
      const refused = refusedBy(run, error, object);
      if (isAway(error)) away = refused.message;
      done.push(failed(object, placed, refused));
    }
  }
  return done;
}

/** The answer to creating: 200 if anything was created, else the failure. Throws Problem. */
export function answerOf(done: readonly Created[]): { results: ManifestResult[] } {
  const results = done.map(({ result }) => result);
  if (results.some(({ ok }) => ok)) return { results };
  const [first] = done;
  const only = done.length === 1 ? first : undefined;
  const status = only?.status ?? (done.every((one) => one.status >= 500) ? 502 : 422);
  throw new Problem({
    status,
    title: only?.result.message ?? `None of the ${done.length} objects was created.`,
    retryable: status >= 500,
    where: first?.problem?.where ?? { source: 'console' },
    lacking: results.find(({ lacking }) => lacking !== undefined)?.lacking,
    issues: results.flatMap(({ index, kind, name, message, fields = [] }) => [
      {
        path: `${index}`,
        message: done.length === 1 ? message : `${kind || 'Object'} ${name}: ${message}`,
      },
      ...fields.map((one) => ({ ...one, path: `${index}.${one.path}` })),
    ]),
  });
}

async function create(run: ManifestRun, object: ManifestObject, placed: Placed): Promise<Created> {
  const body = storable(object.body, placed.kind.group);
  const metadata = isPlain(body['metadata']) ? body['metadata'] : {};
  const answer = await sendChange(
    run.transport,
    {
      method: 'POST',
      path: collectionPath(placed.kind, placed.namespace),
      body: {
        ...body,
        metadata: placed.namespace === undefined ? metadata : { ...metadata, namespace: placed.namespace },
      },
    },
    false,
    'Strict',
  );
  const { metadata: written } = objectIn(answer, run.cluster.name);
  run.onWritten(written);
  const name = written?.name ?? object.name ?? '';
  const message = `${called(object, placed, name)} was created.`;
  return { status: 200, result: { ...describeObject(object, placed), name, ok: true, message } };
}

function failed(
  object: ManifestObject,
  placed: Placed | undefined,
  { status, message, problem, fields = [] }: Pick<Refused, 'status' | 'message'> & Partial<Refused>,
): Created {
  const result = {
    ...describeObject(object, placed),
    ok: false,
    message,
    ...(fields.length === 0 ? {} : { fields: [...fields] }),
    ...(problem?.lacking === undefined ? {} : { lacking: problem.lacking }),
  };
  return { status, problem, result };
}

function describeObject(object: ManifestObject, placed: Placed | undefined) {
  return {
    index: object.index,
    kind: object.kind,
    namespace: (placed === undefined ? object.namespace : placed.namespace) ?? null,
    name: object.name ?? object.generateName ?? '',
  };
}
