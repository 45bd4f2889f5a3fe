import { actionById, kindOfObject } from '../../../commands/kinds/index.ts';
import type { RequestOf, ResponseOf } from '../../contract/endpoint.ts';
import type { Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { ObjectWriter, writerEndpoints } from '../../contract/writers.ts';
import type { JsonPath } from '../../kube/json-diff.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import { type NamedOwner, type Writer, writerSentence } from '../../kube/writers/writer.ts';
import { writersOf, writesAny } from '../../kube/writers/writers.ts';
import { refKey } from '../../registry/kinds/refs.ts';
import type { Reach } from '../access/grants.ts';
import type { NamedObject } from '../actions/available.ts';
import { readArgs } from '../actions/run-action.ts';
import { touchedPaths } from '../actions/touched-paths.ts';
import { clusterSeconds } from '../clusters/cluster-clock.ts';
import type { LiveTransport, Transport } from '../clusters/transport.ts';
import { mayView } from './cited-sight.ts';
import { ReadingWorld } from './reading-world.ts';
import type { Clock } from '../kit/clock.ts';
import { createLimiter } from '../kit/limiter.ts';
import { readReference } from '../live/graph/reference.ts';
import { addressOf } from '../objects/address.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import { isAbsent, readObject } from '../objects/read-object.ts';

type Call = (typeof writerEndpoints)['objectWriters'];
type ActOnObjects = Pick<RequestOf<Call>['body'], 'act' | 'paths' | 'action'>;

/** How often the function is run again with what it asked for. */
const rounds = 8;
/** Objects that are read at a time. */
const atOnce = 8;

interface Parts {
  readonly reach: Reach;
  readonly transport: LiveTransport;
  readonly kinds: KindCatalogue;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** An object that was read, and what is about to happen to it. */
interface Written extends NamedObject {
  readonly object: KubeObject;
  readonly paths: readonly JsonPath[] | undefined;
  readonly act: ActOnObjects['act'];
}

/**
 * The next writers of some objects, as far as the person may know: by the object itself, and by those of its writers'
 * objects that the person may view. Authorise the person to view the objects before. Throws Problem.
 */
export async function objectWriters(
  { reach, transport, kinds, clock, signal }: Parts,
  named: readonly NamedObject[],
  wish: ActOnObjects,
): Promise<ResponseOf<Call>> {
  const { cluster, held } = reach;
  const now = () => clusterSeconds(clock, transport);
  const world = new ReadingWorld({
    transport,
    cluster: cluster.name,
    findKind: (name) => kinds.find(cluster, name),
    mayView: (of) => mayView(held, of),
    mayReadLog: () => false,
    now,
    signal,
  });
  const limiter = createLimiter(atOnce);
  const read = await Promise.all(
    named.map((one) => limiter.run(() => readWritten(one, wish, { transport, signal, now }))),
  );
  const there = read.filter((one) => one !== undefined);
  const look = () => there.map(({ object }) => writersOf(object, world));
  let found = look();
  for (let round = 0; round < rounds && (await world.fill()); round += 1) found = look();
  return {
    objects: there.map((one, index) => ({
      ref: one.ref,
      writers: (found[index] ?? []).flatMap((writer) => shownWriter(writer, one, reach)),
    })),
    notes: [...world.notes],
  };
}

/** Reads an object and the fields that are about to change; undefined for one that is not there, and for a release. */
async function readWritten(
  { kind, ref }: NamedObject,
  { act, paths, action: wanted }: ActOnObjects,
  { transport, signal, now }: { transport: Transport; signal: AbortSignal; now: () => number },
): Promise<Written | undefined> {
  // A release is a record of Helm's, not an object that something puts back.
  if (kind.source !== undefined) return undefined;
  const object = await readObject(transport, kind, ref, { signal }).catch((error: unknown) => {
    if (isAbsent(error, ref.name)) return undefined;
    throw error;
  });
  if (object === undefined) return undefined;
  if (wanted === undefined) return { kind, ref, object, act, paths };
  const action = actionById(wanted.id);
  if (action === undefined) throw new Problem({ status: 404, title: 'There is no such action.' });
  const isGone = action.deletes === true || ('procedure' in action && action.procedure === 'evict');
  if (isGone) return { kind, ref, object, act: 'delete', paths: undefined };
  const touched = touchedPaths(action, readArgs(action, wanted.args), object, {
    address: addressOf(kind, ref),
    now: new Date(now() * 1000).toISOString(),
  });
  return touched === undefined ? undefined : { kind, ref, object, act, paths: touched };
}

function shownWriter(writer: Writer, { object, paths, act }: Written, reach: Reach): readonly ObjectWriter[] {
  const isTouched = paths === undefined ? undefined : writesAny(writer, object, paths);
  const isScaler = writer.between !== undefined || writer.isOfRequests === true;
  // Nothing is put back of a field that it does not write, and an autoscaler creates nothing again.
  if (isTouched === false || (act === 'delete' && isScaler)) return [];
  const { tool, label, when, sight, syncState, by, evidence } = writer;
  const ref = by && refTo(by, reach);
  return [
    {
      tool,
      label: cleanText(label),
      sentence: cleanText(writerSentence(writer, act)),
      when,
      ...(ref === undefined ? {} : { ref }),
      sight,
      ...(syncState === undefined ? {} : { syncState: cleanText(syncState) }),
      isCertain: isTouched === true,
      evidence: evidence.map(({ of, path, value }) => {
        const place = of && refTo(of, reach);
        return { ...(place === undefined ? {} : { ref: place }), path: cleanText(path), value };
      }),
    },
  ];
}

/** Where an object is found in the console, if its kind is known here and the person may view it. */
function refTo(named: NamedOwner, { held }: Reach): Ref | undefined {
  const { namespace } = named;
  const reference = readReference(refKey(named));
  if (reference === undefined || !mayView(held, named)) return undefined;
  const isScoped = kindOfObject(named.apiVersion, named.kind)?.scope === 'Cluster';
  return {
    kind: reference.kind,
    ...(namespace === undefined || isScoped ? {} : { namespace }),
    name: named.name,
  };
}
