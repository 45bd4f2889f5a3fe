import type { ReleaseContents, releaseEndpoints, ReleaseResource } from '../../contract/releases.ts';
import { Problem } from '../../contract/problem.ts';
import { cleanText } from '../../kube/text.ts';
import { writeYaml } from '../../kube/yaml/write.ts';
import type { Member } from '../access/person.ts';
import { isWithin, viewPlace } from '../access/place.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { Transport } from '../clusters/transport.ts';
import { liveObject } from '../helm/apply.ts';
import { computedValues, type StoredRelease } from '../objects/release/decode.ts';
import { readHistory } from '../helm/history.ts';
import { type ManifestObject, objectsOf, placeObjects } from '../helm/manifest.ts';
import { requireReadable } from '../helm/readable.ts';
import { hiderOf, maskEveryValue, maskManifest, maskText, maskValues } from '../objects/release/mask.ts';
import { keptRevisions, readRevision } from '../objects/release/read.ts';
import type { Handlers } from '../http/handlers.ts';
import { cleanValue } from '../objects/present.ts';
import { shaped } from '../objects/read.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { RouteParts } from './parts.ts';

/** Objects that are asked for at a time. */
const concurrency = 8;

/** Handlers of Helm releases. */
export function releaseHandlers({
  clusters,
  grants,
  kinds,
}: Pick<RouteParts, 'clusters' | 'grants' | 'kinds'>): Handlers<typeof releaseEndpoints> {
  /**
   * The status of one object, as far as the person may see it: undefined for one where they reach nothing. Never throws:
   * an unknown status says so.
   */
  const resourceOf = async (
    one: ManifestObject,
    place: { readonly namespace: string; readonly cluster: ClusterRow; readonly person: Member },
    transport: Transport,
  ): Promise<ReleaseResource | undefined> => {
    const { cluster, person } = place;
    const held = await grants.held(person, cluster.id);
    const named = {
      apiVersion: cleanText(one.apiVersion),
      kind: cleanText(one.kind),
      name: cleanText(one.name),
    };
    const unknown = { ...named, namespace: one.namespace ?? null, kindId: null, status: null };
    try {
      const [placed] = await placeObjects([one], place.namespace, { kinds, cluster });
      if (placed === undefined) return { ...unknown, state: 'unknown' };
      const { kindOf, address, path } = placed;
      const { namespace = '', name } = address;
      if (!isWithin(held.namespaces, kindOf, { namespace, name })) return undefined;
      const known = { ...named, namespace: address.namespace ?? null, kindId: kindOf.id, status: null };
      if (!held.may(kindOf.permissions.view, viewPlace(kindOf, address)))
        return { ...known, state: 'unknown' };
      const object = await liveObject(transport, path);
      if (object === undefined) return { ...known, state: 'missing' };
      const status = shaped(placed.title, () => kindOf.status?.(object));
      return {
        ...known,
        state: 'there',
        status: status === undefined ? null : [cleanText(status.label), status.tone],
      };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // Of a kind that cannot be found it is not known where its objects are.
      return held.namespaces === 'all' ? { ...unknown, state: 'unknown' } : undefined;
    }
  };

  /**
   * A revision, once the person was found to hold what it needs wherever it has objects. Throws Problem 403: its
   * manifest and values are those of all of them.
   */
  const readable = async (
    params: { readonly namespace: string; readonly name: string; readonly revision: number },
    { cluster, person }: { readonly cluster: ClusterRow; readonly person: Member },
  ): Promise<StoredRelease> => {
    const stored = await readRevision(await clusters.transport(cluster.id), params);
    const reach = await grants.access(person, cluster.id);
    await requireReadable(reach, stored, kinds);
    return stored;
  };

  return {
    async releaseHistory({ params }) {
      return { revisions: await readHistory(await clusters.transport(params.clusterId), params) };
    },
    async releaseResources({ params }, { person, cluster }) {
      const { namespace, name } = params;
      const transport = await clusters.transport(params.clusterId);
      const [newest] = await keptRevisions(transport, namespace, name);
      const revision = newest?.revision ?? 0;
      const stored = await readRevision(transport, { namespace, name, revision, storage: newest?.storage });
      const limiter = createLimiter(concurrency);
      const resources = await Promise.all(
        objectsOf(stored.manifest).map((one) =>
          limiter.run(() => resourceOf(one, { namespace: stored.namespace, cluster, person }, transport)),
        ),
      );
      const seen = resources.filter((one) => one !== undefined);
      return { resources: seen, leftOut: resources.length - seen.length };
    },
    async releaseContents({ params }, { person, cluster }) {
      // A script reads what nobody looks at: without the scope to reveal, ticked by its name, it gets no value at all.
      const mayReveal = person.token === null || person.token.scopes.has('secrets.reveal');
      return contentsOf(await readable(params, { person, cluster }), mayReveal ? 'credentials' : 'all');
    },
    async revealRelease({ params }, { person, cluster, audit }) {
      const { namespace, name, revision } = params;
      // Before anything is read: what is not on record is not shown.
      await audit.record('release.reveal', {
        kind: 'release',
        namespace,
        names: `${namespace}/${name}`,
        revision,
      });
      return contentsOf(await readable(params, { person, cluster }), 'nothing');
    },
  };
}

/** @param hidden what is masked: credentials, or every value */
function contentsOf(stored: StoredRelease, hidden: 'nothing' | 'credentials' | 'all'): ReleaseContents {
  const { revision, values, defaults, manifest, notes, hooks } = stored;
  const computed = computedValues(defaults, values);
  const hide = hidden === 'all' ? hiderOf(computed) : undefined;
  const shown = { nothing: (all: unknown) => all, credentials: maskValues, all: maskEveryValue }[hidden];
  const yaml = (value: unknown) => {
    const text = writeYaml(cleanValue(shown(value)));
    return text === '{}\n' ? '' : text;
  };
  const credentials = hidden === 'nothing' ? notes : maskText(notes, computed);
  return {
    revision,
    values: yaml(values),
    computed: yaml(computed),
    manifest: cleanText(hidden === 'nothing' ? manifest : maskManifest(manifest, hide)),
    notes: cleanText(hide?.within(credentials) ?? credentials),
    hooks: hooks.map(({ name, kind, events }) => ({ name, kind, events: [...events] })),
  };
}
