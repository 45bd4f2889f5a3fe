import { kindById, kinds } from '../../../commands/kinds/index.ts';
import type { DeletionEffect } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { StatefulSet } from '../../kube/apps.ts';
import { collectionPath } from '../../kube/change.ts';
import type { CustomResourceDefinition } from '../../kube/custom.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../kube/storage.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind, DeletionReach, Kind } from '../../registry/kinds/kind.ts';
import { hasSidebarCount } from '../../registry/sidebar.ts';
import type { HeldPermissions } from '../access/held.ts';
import { viewPlace } from '../access/place.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Limiter } from '../kit/limiter.ts';
import { countObjects, metadataForm } from '../objects/count.ts';
import { readEach, shaped } from '../objects/read.ts';
import { readObject } from '../objects/read-object.ts';

/** Names that an effect tells, at most. */
const namesLimit = 3;
/** Objects that are looked through for what belongs to one, at most. */
const searchedLimit = 5_000;

/** What the deletion of an object is looked at with. */
export interface EffectParts {
  readonly transport: Transport;
  readonly held: HeldPermissions;
  readonly limiter: Limiter;
  /** The kind that a definition defines. */
  readonly find: (name: string) => Promise<AnyKind>;
}

/** What happens to other objects; `hasUnseen` where there may be some that the person may not view. */
export interface DeletionEffects {
  readonly effects: readonly DeletionEffect[];
  readonly hasUnseen: boolean;
}

const noEffects: DeletionEffects = { effects: [], hasUnseen: false };
const unseen: DeletionEffects = { effects: [], hasUnseen: true };

/** What happens to other objects when one is deleted. Throws Problem where the object itself cannot be read. */
export async function deletionEffects(
  parts: EffectParts,
  kind: AnyKind,
  ref: { readonly namespace?: string | undefined; readonly name: string },
): Promise<DeletionEffects> {
  const object = await readObject(parts.transport, kind, ref);
  const name = `${kind.kind} ${ref.name}`;
  const found = [
    await ownedEffects(parts, kind, object),
    kind.deletionReaches === undefined
      ? noEffects
      : await shaped(name, () => reaches[kind.deletionReaches ?? 'maker'](parts, object)),
  ];
  return together(found);
}

/** The effects of several deletions, those of one kind as one. */
export function together(all: readonly DeletionEffects[]): DeletionEffects {
  const merged = new Map<string, DeletionEffect>();
  for (const one of all.flatMap(({ effects }) => effects)) {
    const key = `${one.effect} ${one.title}`;
    const known = merged.get(key);
    merged.set(
      key,
      known === undefined
        ? one
        : {
            ...one,
            count: known.count === null || one.count === null ? null : known.count + one.count,
            names: [...known.names, ...one.names].slice(0, namesLimit),
          },
    );
  }
  return {
    effects: [...merged.values()].filter(({ count }) => count !== 0),
    hasUnseen: all.some(({ hasUnseen }) => hasUnseen),
  };
}

const effectOf = (
  effect: DeletionEffect['effect'],
  { kind, title }: Pick<AnyKind, 'kind' | 'title'>,
  names: readonly string[],
  count: number | null = names.length,
): DeletionEffect => ({
  effect,
  kind: cleanText(kind),
  title: cleanText(title),
  count,
  names: names.slice(0, namesLimit).map((name) => cleanText(name)),
});

/** Objects of a kind by their metadata alone; undefined where they cannot be read, or are too many to look through. */
async function metadataOf(
  { transport, limiter }: EffectParts,
  kind: AnyKind,
  { namespace, fieldSelector }: { readonly namespace?: string | undefined; readonly fieldSelector?: string },
): Promise<readonly KubeObject[] | undefined> {
  try {
    return await limiter.run(() =>
      readEach(
        transport,
        {
          path: collectionPath(kind, namespace),
          accept: metadataForm,
          ...(fieldSelector === undefined ? {} : { fieldSelector }),
          what: kind.title,
          limit: searchedLimit,
          tooMany: `There are more ${kind.title} than this console searches.`,
        },
        (objects) => objects,
      ),
    );
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** What an object owns, and what that owns in turn. */
async function ownedEffects(parts: EffectParts, kind: AnyKind, object: KubeObject): Promise<DeletionEffects> {
  const { namespace, uid } = object.metadata ?? {};
  const found: DeletionEffects[] = [];
  let owners: readonly { readonly kind: AnyKind; readonly uids: ReadonlySet<string> }[] =
    uid === undefined ? [] : [{ kind, uids: new Set([uid]) }];
  while (owners.length > 0) {
    const next: { kind: AnyKind; uids: ReadonlySet<string> }[] = [];
    for (const owner of owners)
      for (const id of owner.kind.owns ?? []) {
        const owned = kindById(id);
        if (owned === undefined) continue;
        if (!parts.held.may(owned.permissions.view, viewPlace(owned, { namespace }))) {
          found.push(unseen);
          continue;
        }
        const all = await metadataOf(parts, owned, { namespace });
        if (all === undefined) {
          found.push({ effects: [effectOf('owned', owned, [], null)], hasUnseen: false });
          continue;
        }
        const own = all.filter(({ metadata }) =>
          metadata?.ownerReferences?.some((reference) => owner.uids.has(reference.uid)),
        );
        found.push({ effects: [effectOf('owned', owned, own.map(nameOf))], hasUnseen: false });
        const uids = new Set(own.flatMap(({ metadata }) => metadata?.uid ?? []));
        if (uids.size > 0) next.push({ kind: owned, uids });
      }
    owners = next;
  }
  return together(found);
}

const nameOf = ({ metadata }: KubeObject): string => metadata?.name ?? '';

type Reach = (parts: EffectParts, object: KubeObject) => Promise<DeletionEffects>;

/** How each reach of a deletion is read. */
const reaches: Readonly<Record<DeletionReach, Reach>> = {
  inside: async (parts, object) => {
    const namespace = nameOf(object);
    const counted = kinds.filter(
      (kind: Kind) =>
        kind.scope === 'Namespaced' &&
        kind.source === undefined &&
        kind.window === undefined &&
        hasSidebarCount(kind),
    );
    const found = await Promise.all(
      counted.map(async (kind): Promise<DeletionEffects> => {
        if (!parts.held.may(kind.permissions.view, { namespace })) return unseen;
        const count = await parts.limiter
          .run(() => countObjects(parts.transport, kind, namespace))
          .catch((error: unknown) => {
            // A cluster may lack the kind.
            if (error instanceof Problem) return 0;
            throw error;
          });
        return { effects: [effectOf('inside', kind, [], count ?? null)], hasUnseen: false };
      }),
    );
    return together(found);
  },
  instances: async (parts, object) => {
    const { spec } = object as CustomResourceDefinition;
    const version = spec?.versions?.find(({ served }) => served === true)?.name;
    if (spec?.group === undefined || version === undefined || spec.names?.plural === undefined)
      return noEffects;
    const kind = await parts.find(`${spec.group}~${version}~${spec.names.plural}`);
    if (parts.held.namespacesFor(kind.permissions.view) !== 'all') return unseen;
    const count = await parts.limiter.run(() => countObjects(parts.transport, kind));
    return { effects: [effectOf('instances', kind, [], count ?? null)], hasUnseen: false };
  },
  claims: async (parts, object) => {
    const claim = kindById('persistentvolumeclaim');
    const { metadata, spec } = object as StatefulSet;
    const templates = (spec?.volumeClaimTemplates ?? []).map(nameOf);
    if (claim === undefined || templates.length === 0) return noEffects;
    const namespace = metadata?.namespace;
    if (!parts.held.may(claim.permissions.view, viewPlace(claim, { namespace }))) return unseen;
    const all = (await metadataOf(parts, claim, { namespace })) ?? [];
    const own = all.map(nameOf).filter((name) =>
      templates.some((template) => {
        const start = `${template}-${metadata?.name ?? ''}-`;
        return name.startsWith(start) && /^\d+$/.test(name.slice(start.length));
      }),
    );
    const isGone = spec?.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete';
    return { effects: [effectOf(isGone ? 'claimsGone' : 'claims', claim, own)], hasUnseen: false };
  },
  running: async (parts, object) => {
    const pod = kindById('pod');
    if (pod === undefined) return noEffects;
    const seen = parts.held.namespacesFor(pod.permissions.view);
    const all = await metadataOf(parts, pod, { fieldSelector: `spec.nodeName=${nameOf(object)}` });
    if (all === undefined) return { effects: [effectOf('running', pod, [], null)], hasUnseen: false };
    const own = all.filter(({ metadata }) => seen === 'all' || seen.has(metadata?.namespace ?? ''));
    // Whether there are others is no more theirs to know than how many.
    return { effects: [effectOf('running', pod, own.map(nameOf))], hasUnseen: seen !== 'all' };
  },
  volume: async (parts, object) => {
    const volume = kindById('persistentvolume');
    const name = (object as PersistentVolumeClaim).spec?.volumeName ?? '';
    if (volume === undefined || name === '') return noEffects;
    if (!parts.held.may(volume.permissions.view, viewPlace(volume, { name }))) return unseen;
    const read = await readObject(parts.transport, volume, { name }).catch((error: unknown) => {
      if (error instanceof Problem) return undefined;
      throw error;
    });
    if (read === undefined) return noEffects;
    const isGone = (read as PersistentVolume).spec?.persistentVolumeReclaimPolicy === 'Delete';
    return { effects: [effectOf(isGone ? 'volumeGone' : 'volumeKept', volume, [name])], hasUnseen: false };
  },
  claim: async (parts, object) => {
    const claim = kindById('persistentvolumeclaim');
    const { claimRef } = (object as PersistentVolume).spec ?? {};
    if (claim === undefined || claimRef?.name === undefined) return noEffects;
    const { namespace, name } = claimRef;
    if (!parts.held.may(claim.permissions.view, viewPlace(claim, { namespace }))) return unseen;
    return { effects: [effectOf('claimLost', claim, [`${namespace ?? ''}/${name}`])], hasUnseen: false };
  },
  maker: async (_parts, { metadata }) => {
    const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) return noEffects;
    return {
      effects: [effectOf('maker', { kind: owner.kind, title: owner.kind }, [owner.name])],
      hasUnseen: false,
    };
  },
};
