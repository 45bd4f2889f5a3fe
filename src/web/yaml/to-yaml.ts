import { writeYaml } from '../../kube/yaml/write.ts';

const leadingFields = ['apiVersion', 'kind', 'metadata', 'type', 'spec', 'data', 'stringData'];
const inMetadata = ['name', 'namespace', 'labels', 'annotations'];

function ordered(
  object: Readonly<Record<string, unknown>>,
  head: readonly string[],
): Record<string, unknown> {
  const keys = Object.keys(object);
  const known = head.filter((key) => keys.includes(key));
  const rest = keys.filter((key) => !head.includes(key));
  return Object.fromEntries([...known, ...rest].map((key) => [key, object[key]]));
}

/** An object as YAML the way people write it: names first, status last, long texts unwrapped. */
export function toYaml(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeYaml(value);
  const { status, ...rest } = value as Readonly<Record<string, unknown>>;
  const object = ordered(rest, leadingFields);
  const { metadata } = object;
  if (typeof metadata === 'object' && metadata !== null)
    object['metadata'] = ordered(metadata as Readonly<Record<string, unknown>>, inMetadata);
  return writeYaml(status === undefined ? object : { ...object, status });
}
