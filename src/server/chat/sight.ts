import type { ChatPart } from '../../contract/chat.ts';
import type { Creation, Evidence, Finding } from '../../contract/diagnosis.ts';
import type { Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { mayCreate, mayEdit } from '../access/creation.ts';
import type { Reach } from '../access/grants.ts';
import { viewPlace } from '../access/place.ts';

/** An object that a part tells of; without a name, objects of the kind in the namespace. */
export type ToldObject = Omit<Ref, 'name'> & {
  readonly name?: string;
  /**
   * `owner`: only Owners may read it, as the audit. `asker`: numbers and silences that follow from what the person who
   * asked may view; others see them only where they may view all such objects. `self`: what the person who asked may do.
   */
  readonly need?: 'owner' | 'asker' | 'self';
};

/** Objects that evidence tells of: an event is an object as well, and a line of a log is of a pod. */
export function objectsOfEvidence(evidence: Evidence): ToldObject[] {
  const { ref } = evidence;
  if (evidence.type !== 'event') return [ref];
  return [ref, { kind: 'event', ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }) }];
}

/** Objects that a finding tells of: where it is, how it was found, and what it stands on. */
export function objectsOfFinding({ object, path, evidence }: Finding): ToldObject[] {
  return distinct([object, ...path, ...evidence.flatMap(objectsOfEvidence)]);
}

/** The same objects, each once. */
export function distinct(objects: readonly ToldObject[]): ToldObject[] {
  const keyed = objects.map(
    (one) => [JSON.stringify([one.kind, one.namespace, one.name, one.need]), one] as const,
  );
  return [...new Map(keyed).values()];
}

/** Decides for one person and cluster, by one reading of their grants, whether they may view what was told. */
export class ToldSight {
  readonly #reach: Reach;
  readonly #find: (name: string) => Promise<AnyKind>;
  readonly #isAsker: boolean;
  readonly #kinds = new Map<string, Promise<AnyKind | undefined>>();

  /**
   * @param find the kind by a name, as the cluster has it; throws Problem for one that it does not have
   * @param isAsker whether it is the person who asked
   */
  constructor(reach: Reach, find: (name: string) => Promise<AnyKind>, isAsker = true) {
    this.#reach = reach;
    this.#find = find;
    this.#isAsker = isAsker;
  }

  /** Why somebody may not see what tells of these objects, a sentence that names none of them; undefined if they may. */
  async refusal(objects: readonly ToldObject[]): Promise<string | undefined> {
    for (const object of objects) {
      if (object.need === 'owner') {
        if (this.#reach.held.isOwner) continue;
        return 'This answer is hidden: it uses the audit, which only Owners of the organisation can read.';
      }
      if (object.need === 'self') {
        if (this.#isAsker) continue;
        return 'This answer is hidden: it says what the person who asked may do.';
      }
      if (object.need === 'asker' && this.#isAsker) continue;
      const kind = await this.#kind(object.kind);
      if (kind === undefined)
        return 'This answer is hidden: it mentions a kind of object that this cluster no longer has, so it is not known who may see it.';
      const { held } = this.#reach;
      if (!held.may(kind.permissions.view, viewPlace(kind, object)))
        return `This answer is hidden: it mentions ${kind.title} that you may not view. Ask somebody who can give you access to them.`;
    }
    return undefined;
  }

  /** A part with those objects alone on offer that the reader may view, and those to create that they may create now. */
  async offered(part: ChatPart): Promise<ChatPart> {
    if (part.type !== 'text') return part;
    const { opens = [], edits = [], creates = [], ...rest } = part;
    const { held } = this.#reach;
    const known = async (name: string, may: (kind: AnyKind) => boolean) => {
      const kind = await this.#kind(name);
      return kind !== undefined && may(kind);
    };
    const viewed: Ref[] = [];
    for (const ref of opens)
      if (await known(ref.kind, (kind) => held.may(kind.permissions.view, viewPlace(kind, ref))))
        viewed.push(ref);
    const edited: Ref[] = [];
    for (const ref of edits)
      if (await known(ref.kind, (kind) => mayEdit(this.#reach, kind, ref))) edited.push(ref);
    const created: Creation[] = [];
    for (const one of creates)
      if (await known(one.ref.kind, (kind) => mayCreate(this.#reach, kind, one.ref))) created.push(one);
    return {
      ...rest,
      ...(viewed.length === 0 ? {} : { opens: viewed }),
      ...(edited.length === 0 ? {} : { edits: edited }),
      ...(created.length === 0 ? {} : { creates: created }),
    };
  }

  #kind(name: string): Promise<AnyKind | undefined> {
    const known =
      this.#kinds.get(name) ??
      this.#find(name).catch((error: unknown) => {
        if (error instanceof Problem && error.status < 500) return undefined;
        throw error;
      });
    this.#kinds.set(name, known);
    return known;
  }
}
