import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AskedObject } from '../../../contract/search.ts';
import { goneLimit } from '../../../contract/search-limits.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { objectOfRoute } from '../../../registry/commands/kind-commands.ts';
import type { Registry } from '../../../registry/commands/registry.ts';
import { useData } from '../../data/port.ts';
import type { Entry } from './entries.ts';
import type { Candidate } from './rank-entries.ts';

/** The object that a recent thing is about: the one whose page it opens, or that it acts on. */
function objectOf({ act }: Entry, registry: Pick<Registry, 'match'>): ObjectRef | undefined {
  if (act.type === 'place') return objectOfRoute(registry.match(act.href));
  return act.type === 'command' && act.subject.type === 'objects' ? act.subject.refs[0] : undefined;
}

const keyOf = ({ clusterId, kind, namespace, name }: AskedObject) =>
  JSON.stringify([clusterId, kind, namespace, name]);

function askedObject(entry: Entry, registry: Pick<Registry, 'match'>): AskedObject | undefined {
  const ref = objectOf(entry, registry);
  if (ref === undefined) return undefined;
  return { clusterId: Number(ref.cluster), kind: ref.kind, namespace: ref.namespace ?? '', name: ref.name };
}

/** The objects that recent things are about, each once: as many as are asked about at once. */
export function objectsOf(
  recents: readonly Candidate[],
  registry: Pick<Registry, 'match'>,
): readonly AskedObject[] {
  const asked = new Map<string, AskedObject>();
  for (const { entry } of recents) {
    const object = askedObject(entry, registry);
    if (object !== undefined) asked.set(keyOf(object), object);
  }
  return [...asked.values()].slice(0, goneLimit);
}

/** The recent things whose objects are not among those that are gone. */
export function withoutGone(
  recents: readonly Candidate[],
  gone: readonly AskedObject[],
  registry: Pick<Registry, 'match'>,
): readonly Candidate[] {
  if (gone.length === 0) return recents;
  const keys = new Set(gone.map(keyOf));
  return recents.filter(({ entry }) => {
    const object = askedObject(entry, registry);
    return object === undefined || !keys.has(keyOf(object));
  });
}

/** The recent things without those whose objects are gone. Until the server has said so they are there. */
export function usePresent(
  recents: readonly Candidate[],
  registry: Pick<Registry, 'match'>,
): readonly Candidate[] {
  const { queries } = useData();
  const asked = useMemo(() => objectsOf(recents, registry), [recents, registry]);
  const places = useQuery({ ...queries.goneObjects(asked), enabled: asked.length > 0 }).data?.gone;
  return useMemo(
    () => withoutGone(recents, places?.flatMap((place) => asked[place] ?? []) ?? [], registry),
    [recents, registry, places, asked],
  );
}
