import type { KeyFiles, Pod, SourceReference, Volume } from '../../../kube/core.ts';

/** A config map or Secret that a pod takes values from. */
export interface Source {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/** The config maps and Secrets of a volume, with the keys that it has as files. */
export function sourcesOf({ configMap, secret, projected }: Volume) {
  const named = (kind: Source['kind'], of: (SourceReference & KeyFiles) | undefined) =>
    of?.name === undefined || of.optional === true
      ? []
      : [{ kind, name: of.name, keys: (of.items ?? []).flatMap(({ key }) => key ?? []) }];
  const { secretName: name, ...rest } = secret ?? {};
  return [
    ...named('ConfigMap', configMap),
    ...named('Secret', name === undefined ? undefined : { ...rest, name }),
    ...(projected?.sources ?? []).flatMap((one) => [
      ...named('ConfigMap', one.configMap),
      ...named('Secret', one.secret),
    ]),
  ];
}

/** The keys that a pod asks of a config map or Secret by their names, in the order of its manifest; optional ones not. */
export function keysAskedOf({ spec = {} }: Pod, { kind, name }: Source): readonly string[] {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const variables = containers.flatMap(({ env = [] }) =>
    env.flatMap(({ valueFrom }) => {
      const asked = kind === 'Secret' ? valueFrom?.secretKeyRef : valueFrom?.configMapKeyRef;
      return asked?.name !== name || asked.optional === true ? [] : (asked.key ?? []);
    }),
  );
  const files = (spec.volumes ?? [])
    .flatMap(sourcesOf)
    .flatMap((one) => (one.kind === kind && one.name === name ? one.keys : []));
  return [...new Set([...variables, ...files])];
}

/** From what a volume takes a key; undefined if no item of it names the key. */
export function sourceOfFile(
  { spec = {} }: Pod,
  volume: string | undefined,
  key: string,
): Source | undefined {
  const mounted = spec.volumes?.find(({ name }) => name === volume);
  const found = mounted && sourcesOf(mounted).find(({ keys }) => keys.includes(key));
  return found && { kind: found.kind, name: found.name };
}
