import type { KindFacts } from '../../registry/kinds/kind-facts.ts';
import { toYaml } from './to-yaml.ts';

/**
 * An object of a kind as YAML. One that the console puts together itself, a Helm release, comes without the marks by which
 * the console tells its versions apart: no cluster knows them.
 */
export function objectYaml({ source }: Pick<KindFacts, 'source'>, object: unknown): string {
  if (source === undefined || typeof object !== 'object' || object === null) return toYaml(object);
  const { metadata, ...rest } = object as { readonly metadata?: Readonly<Record<string, unknown>> };
  const { uid: _uid, resourceVersion: _version, ...known } = metadata ?? {};
  return toYaml({ ...rest, metadata: known });
}
