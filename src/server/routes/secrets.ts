import { secret as secretKind } from '../../../commands/kinds/secret.ts';
import { Problem } from '../../contract/problem.ts';
import type { secretEndpoints } from '../../contract/secrets.ts';
import { secretTypes } from '../../kube/secret.ts';
import { requireReadableRevision } from '../helm/readable.ts';
import type { Handlers } from '../http/handlers.ts';
import { nameOf } from '../objects/address.ts';
import { readSecret } from '../objects/read-secret.ts';
import { contentsOf } from '../objects/secret-contents.ts';
import type { RouteParts } from './parts.ts';

/** Characters of key names that the audit keeps of one call. */
const keysLimit = 4_000;

/** Handlers of Secrets, and the only way to their values. */
export function secretHandlers({
  clusters,
  grants,
  kinds,
}: Pick<RouteParts, 'clusters' | 'grants' | 'kinds'>): Handlers<typeof secretEndpoints> {
  return {
    async secretContents({ params }, { cluster, signal }) {
      const transport = await clusters.transport(cluster.id);
      return contentsOf(await readSecret(transport, params, { cluster: cluster.name, signal }));
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
      const transport = await clusters.transport(cluster.id);
      const secret = await readSecret(transport, params, { cluster: cluster.name, signal });
      if (secret.type === secretTypes.helmRelease)
        await requireReadableRevision(await grants.access(person, cluster.id), secret, kinds);
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
