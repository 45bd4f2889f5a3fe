import { createHmac, randomBytes } from 'node:crypto';
import {
  type ComparedObject,
  type ComparedState,
  comparedLimit,
  comparedStates,
} from '../../contract/compare.ts';
import { collectionPath } from '../../kube/change.ts';
import { compared, partsOfCompared } from '../../kube/compared.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import { nextTurn } from '../live/source/list.ts';
import { cutDeep, isTooDeep } from '../objects/present.ts';
import { readEach } from '../objects/read.ts';

/** One of two lists that are compared. */
export interface ComparedSide {
  readonly transport: Transport;
  /** In the version that the cluster of this side serves. */
  readonly kind: AnyKind;
  /** The cluster's name. */
  readonly cluster: string;
  /** Undefined for all namespaces, and for objects of the cluster. */
  readonly namespace: string | undefined;
}

/** The digest kept of an object: marks of its parts, which show whether two are equal and nothing else. */
interface Fingerprint {
  readonly namespace: string | null;
  readonly name: string;
  readonly parts: ReadonlyMap<string, string>;
}

/** Objects whose marks are made in one turn of the event loop. */
const atATime = 50;
/** Parts that are named of one object. */
const maxParts = 20;

/**
 * Compares the objects of a kind in two places by name; by namespace and name where whole clusters are compared. Those
 * that differ come first. Of each object only marks are kept, made with a key that nobody has: values of Secrets are
 * compared and never told. Throws ClusterProblem when a side cannot be read or has more than are compared.
 */
export async function compareLists(
  left: ComparedSide,
  right: ComparedSide,
  { withStatus, signal }: { readonly withStatus: boolean; readonly signal: AbortSignal },
): Promise<ComparedObject[]> {
  const key = randomBytes(32);
  const read = (side: ComparedSide) => readMarks(side, { key, withStatus, signal });
  const [ours, theirs] = await Promise.all([read(left), read(right)]);
  const others = new Map(theirs.map((one) => [fingerprintKey(one), one]));
  const found: ComparedObject[] = ours.map((one) => {
    const other = others.get(fingerprintKey(one));
    others.delete(fingerprintKey(one));
    if (other === undefined) return comparedRow(one, 'left', []);
    const names = new Set([...one.parts.keys(), ...other.parts.keys()]);
    const parts = [...names].filter((name) => one.parts.get(name) !== other.parts.get(name)).sort();
    return comparedRow(one, parts.length === 0 ? 'equal' : 'differs', parts);
  });
  for (const other of others.values()) found.push(comparedRow(other, 'right', []));
  return found.sort(
    (a, b) =>
      comparedStates.indexOf(a.state) - comparedStates.indexOf(b.state) ||
      byText(a.namespace ?? '', b.namespace ?? '') ||
      byText(a.name, b.name),
  );
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const fingerprintKey = ({ namespace, name }: Fingerprint) => `${namespace ?? ''}/${name}`;

const comparedRow = ({ namespace, name }: Fingerprint, state: ComparedState, parts: readonly string[]) => ({
  namespace: namespace === null ? null : cleanText(namespace),
  name: cleanText(name),
  state,
  parts: parts.slice(0, maxParts).map((part) => cleanText(part).slice(0, 300)),
});

interface Marking {
  readonly key: Buffer;
  readonly withStatus: boolean;
  readonly signal: AbortSignal;
}

async function readMarks(side: ComparedSide, { key, withStatus, signal }: Marking): Promise<Fingerprint[]> {
  const { transport, kind, cluster, namespace } = side;
  const place = namespace === undefined ? cluster : `namespace ${namespace} of ${cluster}`;
  const limitText = comparedLimit.toLocaleString('en');
  return await readEach(
    transport,
    {
      path: collectionPath(kind, namespace),
      what: kind.title,
      limit: comparedLimit,
      tooMany: `There are more than ${limitText} ${kind.title} in ${place}; no more are compared. ${
        namespace === undefined ? 'Compare single namespaces.' : 'Compare the objects one by one.'
      }`,
      cluster,
      signal,
    },
    async (objects) => {
      const marked: Fingerprint[] = [];
      for (const [index, object] of objects.entries()) {
        if (index % atATime === atATime - 1) await nextTurn();
        signal.throwIfAborted();
        marked.push({
          namespace: namespace === undefined ? (object.metadata?.namespace ?? null) : null,
          name: object.metadata?.name ?? '',
          parts: marksOf(object, kind, { key, withStatus }),
        });
      }
      return marked;
    },
  );
}

function marksOf(
  object: KubeObject,
  kind: AnyKind,
  { key, withStatus }: Pick<Marking, 'key' | 'withStatus'>,
): ReadonlyMap<string, string> {
  // Items of lists have neither apiVersion nor kind.
  const whole = {
    ...(isTooDeep(object) ? (cutDeep(object) as KubeObject) : object),
    apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
  };
  const mark = (value: unknown) =>
    createHmac('sha256', key)
      .update(JSON.stringify(value) ?? '')
      .digest('base64url')
      .slice(0, 22);
  return new Map(
    [...partsOfCompared(compared(whole, withStatus))].map(([name, value]) => [name, mark(value)]),
  );
}
