/** Most pods that one address names. */
const most = 50;
const name = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** A pod by name. */
export interface NamedPod {
  readonly namespace: string;
  readonly name: string;
}

/** Pods as a part of an address: `shop/api-0,shop/api-1`. */
export const podsText = (pods: readonly NamedPod[]): string =>
  pods
    .slice(0, most)
    .map((pod) => `${pod.namespace}/${pod.name}`)
    .join(',');

/** The pods that an address names; what is no name of a pod is left out. */
export function podsIn(text: string): NamedPod[] {
  return text
    .split(',')
    .slice(0, most)
    .flatMap((part) => {
      const [namespace = '', pod = '', ...rest] = part.split('/');
      return rest.length === 0 && name.test(namespace) && name.test(pod) ? [{ namespace, name: pod }] : [];
    });
}
