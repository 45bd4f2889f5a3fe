import { secret as secretKind } from '../../../commands/kinds/secret.ts';
import { Problem } from '../../contract/problem.ts';
import type { secretEndpoints } from '../../contract/secrets.ts';
import { objectPath } from '../../kube/change.ts';
import { type Secret, secretTypes } from '../../kube/secret.ts';
import type { Member } from '../access/person.ts';
import { requireReadable } from '../helm/readable.ts';
import type { Handlers } from '../http/handlers.ts';
import { addressOf, nameOf } from '../objects/address.ts';
import { isPlain, objectIn } from '../objects/read.ts';
import { decodeRelease } from '../objects/release/decode.ts';
import { contentsOf } from '../objects/secret-contents.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { RouteParts } from './parts.ts';

/** Characters of key names that the audit keeps of one call. */
const keysLimit = 4_000;

/** Handlers of Secrets, and the only way to their values. */
export function secretHandlers({
  clusters,
  grants,
  kinds,
}: Pick<RouteParts, 'clusters' | 'grants' | 'kinds'>): Handlers<typeof secretEndpoints> {
  const read = async (
    cluster: ClusterRow,
    place: { readonly namespace: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<Secret> => {
    const transport = await clusters.transport(cluster.id);
    const answer = await transport.json<unknown>({ path: objectPath(addressOf(secretKind, place)), signal });
    const secret: Secret = objectIn(answer, cluster.name);
    return isPlain(secret.data) ? secret : { ...secret, data: {} };
  };

  /** Throws Problem 403 for a revision of a Helm release with objects where the person may read no Secrets. */
  const requireShown = async (secret: Secret, cluster: ClusterRow, person: Member) => {
    if (secret.type !== secretTypes.helmRelease) return;
    const reach = await grants.access(person, cluster.id);
    if (reach.held.namespacesFor('secrets.view') === 'all') return;
    await requireReadable(reach, await decodeRelease(secret, 'Secret'), kinds);
  };

  return {
    async secretContents({ params }, { cluster, signal }) {
      return contentsOf(await read(cluster, params, signal));
    },
    async revealSecret({ params, body }, { person, cluster, audit, signal }) {
      const { namespace, name } = params;
      const keys = [...new Set(body.keys)];
      // Before anything is read: a value that is not on record is not shown.
      await audit.record('secret.reveal', {
        kind: secretKind.id,
        namespace,
        names: `${namespace}/${name}`,
        keys: keys.join(', ').slice(0, keysLimit),
        purpose: body.purpose,
      });
      const secret = await read(cluster, params, signal);
      await requireShown(secret, cluster, person);
      const data = secret.data ?? {};
      const missing = keys.find((key) => !Object.hasOwn(data, key));
      if (missing !== undefined) {
        throw new Problem({
          status: 404,
          title: `${nameOf(secretKind, params)} has no key “${missing}”.`,
        });
      }
      return {
        resourceVersion: secret.metadata?.resourceVersion ?? '',
        values: keys.map((key) => ({ key, value: data[key] ?? '' })),
      };
    },
  };
}
