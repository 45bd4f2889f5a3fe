import { maxPods, type NamedPod } from '../../../registry/kinds/pods-log.ts';

const name = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** The pods that an address names; what is no name of a pod is left out. */
export function podsIn(text: string): NamedPod[] {
  return text
    .split(',')
    .slice(0, maxPods)
    .flatMap((part) => {
      const [namespace = '', pod = '', ...rest] = part.split('/');
      return rest.length === 0 && name.test(namespace) && name.test(pod) ? [{ namespace, name: pod }] : [];
    });
}
