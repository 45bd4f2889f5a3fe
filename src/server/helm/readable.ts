import type { Secret } from '../../kube/secret.ts';
import { requireHeld, type Reach } from '../access/grants.ts';
import { changePlace } from '../access/place.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import { decodeRelease, type StoredRelease } from '../objects/release/decode.ts';
import { objectsOf, placeObjects } from './manifest.ts';

/**
 * Throws Problem 403 unless somebody may read Secrets wherever a revision has objects, hooks among them: its manifest and
 * its values are those of all of them. Throws Problem 422 for a manifest that cannot be read, as then nobody knows where.
 */
export async function requireReadable(
  reach: Reach,
  { manifest, hooks, namespace }: Pick<StoredRelease, 'manifest' | 'hooks' | 'namespace'>,
  kinds: KindCatalogue,
): Promise<void> {
  if (reach.held.namespacesFor('secrets.view') === 'all') return;
  const written = [manifest, ...hooks.map((hook) => hook.manifest)].flatMap(objectsOf);
  for (const { kindOf, address } of await placeObjects(written, namespace, { kinds, cluster: reach.cluster }))
    requireHeld(reach, 'secrets.view', changePlace(kindOf, address));
}

/** Throws Problem as `requireReadable` does, for a revision as the Secret that holds it. */
export async function requireReadableRevision(
  reach: Reach,
  secret: Secret,
  kinds: KindCatalogue,
): Promise<void> {
  if (reach.held.namespacesFor('secrets.view') === 'all') return;
  await requireReadable(reach, await decodeRelease(secret, 'Secret'), kinds);
}
