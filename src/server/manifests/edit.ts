import type { editEndpoints } from '../../contract/edit.ts';
import type { RequestOf, ResponseOf } from '../../contract/endpoint.ts';
import { Problem } from '../../contract/problem.ts';
import { objectPath, patchTypes } from '../../kube/change.ts';
import { ownersOfPaths } from '../../kube/field-owners.ts';
import { applyChanges, type JsonChange, pathText, pointerOf } from '../../kube/json-diff.ts';
import { isMasked } from '../../kube/masked.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import { isDestructive } from '../../registry/kinds/destructive-change.ts';
import { isChangeGrave } from '../../registry/kinds/grave-change.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { addressOf, nameOf } from '../objects/address.ts';
import { isSecret, isTooDeep, maxDepth, presentObject, sourceObject } from '../objects/present.ts';
import { objectIn } from '../objects/read.ts';
import { refusedFields } from '../objects/refused-fields.ts';
import { fieldManager, sendChange } from '../objects/send.ts';
import { withoutSecrets } from './objects.ts';

type Calls = typeof editEndpoints;
type EditWish = Pick<RequestOf<Calls['editObject']>['body'], 'changes' | 'resourceVersion'>;

/** An object that somebody edits. */
interface EditPlace {
  readonly transport: Transport;
  readonly kind: AnyKind;
  /** The cluster's name as people know it. */
  readonly cluster: string;
  readonly ref: { readonly namespace?: string | undefined; readonly name: string };
}

/** Maximum number of other owners of changed fields that are named. */
const ownersLimit = 500;
/** Characters of the names of changed fields that the audit keeps. */
const fieldsLimit = 2_000;

/** The object as an editor begins with it. Throws Problem. */
export async function readSource(
  { transport, kind, cluster, ref }: EditPlace,
  signal: AbortSignal,
): Promise<ResponseOf<Calls['editSource']>> {
  const answer = await transport.json<unknown>({ path: objectPath(addressOf(kind, ref)), signal });
  const object = objectIn(answer, cluster);
  return { resourceVersion: versionOf(object), object: sourceObject(kind, object) };
}

/** Names of the fields that are changed, as the audit keeps them; keys of a Secret are visible to people who may view it. */
export const changedFields = (changes: readonly JsonChange[]): string =>
  changes
    .map(({ path }) => pathText(path.map(shortPart)))
    .join(', ')
    .slice(0, fieldsLimit);

/** Throws Problem 400 for changes that are never sent: too deep ones, and masks of a Secret's values. */
export function requireSendable(kind: AnyKind, changes: readonly JsonChange[]): void {
  if (isTooDeep(changes)) {
    throw new Problem({
      status: 400,
      title: `This is nested more than ${maxDepth} levels deep, more than this console sends.`,
    });
  }
  if (isSecret(kind) && changes.some((change) => change.op !== 'remove' && hasMask(change.value))) {
    throw new Problem({
      status: 400,
      title: 'A masked value would be saved as it is displayed. Write the value itself.',
    });
  }
}

/** Changes of a live object: only they are sent, and only if nobody changed the object meanwhile. */
export class ObjectEdit {
  /** Whether it ends pods or deletes something. */
  readonly isDestructive: boolean;
  /** Whether it is a dangerous act. */
  readonly isGrave: boolean;
  readonly #place: EditPlace;
  readonly #wish: EditWish;
  readonly #before: KubeObject;

  private constructor(place: EditPlace, wish: EditWish, before: KubeObject) {
    const { kind } = place;
    const wanted = changed(before, wish.changes, namedIn(place));
    this.isDestructive = isDestructive(kind, before, wanted);
    this.isGrave = isChangeGrave(kind, before, wanted);
    this.#place = place;
    this.#wish = wish;
    this.#before = before;
  }

  /** Reads the object that is to be changed. Throws Problem 409 where it is no longer the one that was edited. */
  static async read(place: EditPlace, wish: EditWish): Promise<ObjectEdit> {
    const { transport, kind, cluster, ref } = place;
    const answer = await transport.json<unknown>({ path: objectPath(addressOf(kind, ref)) });
    const before = objectIn(answer, cluster);
    if (versionOf(before) !== wish.resourceVersion) throw changedMeanwhile(namedIn(place));
    return new ObjectEdit(place, wish, before);
  }

  /** Sends the changes, or has the cluster judge them. Throws Problem. */
  async send(dryRun: boolean): Promise<
    Omit<ResponseOf<Calls['editObject']>, 'isDestructive' | 'mustConfirm'> & {
      readonly written: KubeObject['metadata'];
    }
  > {
    const { transport, kind, cluster, ref } = this.#place;
    const { changes, resourceVersion } = this.#wish;
    const body = [
      // The cluster refuses it by this when somebody was faster after all.
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
      ...changes.map((change) => ({ ...change, path: pointerOf(change.path) })),
    ];
    const path = objectPath(addressOf(kind, ref));
    try {
      const change = { method: 'PATCH', path, contentType: patchTypes.json, body } as const;
      const after = objectIn(await sendChange(transport, change, dryRun, 'Strict'), cluster);
      return {
        written: after.metadata,
        resourceVersion: versionOf(after),
        ...(dryRun ? { before: presentObject(kind, this.#before) } : {}),
        after: presentObject(kind, after),
        owners: this.#owners(),
      };
    } catch (error) {
      throw explained(error, kind, namedIn(this.#place), changes);
    }
  }

  /** The other managers of the changed fields. */
  #owners() {
    const paths = this.#wish.changes.map((change) => change.path);
    return ownersOfPaths(this.#before, paths, fieldManager)
      .slice(0, ownersLimit)
      .map(({ path, manager }) => ({ path: cleanText(pathText(path)), manager: cleanText(manager) }));
  }
}

const namedIn = ({ kind, ref }: EditPlace): string => nameOf(kind, addressOf(kind, ref));

const shortPart = (part: string | number) => (typeof part === 'string' ? part.slice(0, 100) : part);

const hasMask = (value: unknown): boolean =>
  isMasked(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasMask));

const versionOf = (object: KubeObject) => object.metadata?.resourceVersion ?? '';

function changedMeanwhile(named: string, cause?: unknown): Problem {
  return new Problem(
    {
      status: 409,
      title: `${named} was changed on the cluster meanwhile. Review the changes, then save again.`,
      retryable: false,
      where: { source: 'cluster' },
    },
    { cause },
  );
}

/** The object as the changes leave it: what is judged for whether it ends pods or destroys something. */
function changed(before: KubeObject, changes: readonly JsonChange[], named: string): KubeObject {
  try {
    return objectIn(applyChanges(before, changes));
  } catch (error) {
    if (error instanceof RangeError) throw changedMeanwhile(named, error);
    throw error;
  }
}

/** A refusal for people: conflicts by name, fields by their path, no values of a Secret. */
function explained(error: unknown, kind: AnyKind, named: string, changes: readonly JsonChange[]): unknown {
  if (!(error instanceof ClusterProblem)) return error;
  if (error.upstream.status === 409 && error.upstream.reason === 'Conflict')
    return changedMeanwhile(named, error);
  const values = changes.map((change) => (change.op === 'remove' ? undefined : change.value));
  const cleaned = (sentence: string) =>
    isSecret(kind) ? withoutSecrets(sentence, { body: { kind: 'Secret', data: values } }) : sentence;
  const issues = refusedFields(error, cleaned);
  return new Problem(
    {
      status: error.status,
      title: cleaned(error.title),
      retryable: error.retryable,
      where: error.where,
      ...(issues.length === 0 ? {} : { issues: [...issues] }),
    },
    { cause: isSecret(kind) ? undefined : error },
  );
}
