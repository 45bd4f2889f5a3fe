import type { Pod } from '../../kube/core.ts';

/** A container whose log can be read. */
export interface LogContainer {
  readonly name: string;
  readonly isInit: boolean;
}

/** The containers of a pod, those that start it last. */
export function containersOf({ spec }: Pod): readonly LogContainer[] {
  const named = (list: readonly { readonly name?: string }[] | undefined, isInit: boolean) =>
    (list ?? []).flatMap(({ name }) => (name === undefined ? [] : [{ name, isInit }]));
  return [...named(spec?.containers, false), ...named(spec?.initContainers, true)];
}

/** The container meant when none is named: kubectl's annotation says which, else the first. */
export function defaultContainer(pod: Pod): string {
  const containers = containersOf(pod);
  const said = pod.metadata?.annotations?.['kubectl.kubernetes.io/default-container'];
  return containers.find(({ name }) => name === said)?.name ?? containers[0]?.name ?? '';
}

/** Names the run of a container: another one has begun when it changes. */
export function runOf({ status }: Pod, container: string): string {
  const found = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    ({ name }) => name === container,
  );
  return `${found?.restartCount ?? 0} ${found?.state?.running?.startedAt ?? ''}`;
}
