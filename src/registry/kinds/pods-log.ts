/** Maximum number of pods in one address. */
export const maxPods = 50;

/** A pod by name. */
export interface NamedPod {
  readonly namespace: string;
  readonly name: string;
}

/** Pods as part of an address: `shop/api-0,shop/api-1`. */
export const podsText = (pods: readonly NamedPod[]): string =>
  pods
    .slice(0, maxPods)
    .map((pod) => `${pod.namespace}/${pod.name}`)
    .join(',');
