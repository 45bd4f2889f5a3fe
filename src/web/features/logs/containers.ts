import type { Pod } from '../../../kube/core.ts';

/** A container whose log can be read. */
export interface LogContainer {
  readonly name: string;
  readonly sort: 'main' | 'init' | 'sidecar' | 'ephemeral';
}

/** Containers as a pod or a pod template names them. */
export type PodContainers = Pick<
  NonNullable<Pod['spec']>,
  'containers' | 'initContainers' | 'ephemeralContainers'
>;

/** The containers of a pod or a template: those that start it after its own, debug containers last. */
export function containersIn(spec: PodContainers | undefined): readonly LogContainer[] {
  type Named = { readonly name?: string; readonly restartPolicy?: string };
  const named = (list: readonly Named[] | undefined, sortOf: (one: Named) => LogContainer['sort']) =>
    (list ?? []).flatMap((one) => (one.name === undefined ? [] : [{ name: one.name, sort: sortOf(one) }]));
  return [
    ...named(spec?.containers, () => 'main'),
    ...named(spec?.initContainers, ({ restartPolicy }) => (restartPolicy === 'Always' ? 'sidecar' : 'init')),
    ...named(spec?.ephemeralContainers, () => 'ephemeral'),
  ];
}

/** The containers of a pod, those that start it last. */
export const containersOf = ({ spec }: Pod): readonly LogContainer[] => containersIn(spec);

/** The container meant when none is named: kubectl's annotation says which, else the first. */
export function defaultContainer(pod: Pod): string {
  const containers = containersOf(pod);
  const said = pod.metadata?.annotations?.['kubectl.kubernetes.io/default-container'];
  return containers.find(({ name }) => name === said)?.name ?? containers[0]?.name ?? '';
}
