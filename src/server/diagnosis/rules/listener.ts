import type { Container, Pod } from '../../../kube/core.ts';
import { containerOf } from './pod-parts.ts';

/** A container that has a port, with what says so. */
interface Listener {
  readonly name: string;
  readonly where: string;
  readonly path: string;
}

/** Settings of a container that name the port on which it listens. */
const portVariable = /PORT|LISTEN|ADDR|BIND|SERVER|HTTP/i;

function placeOf(container: Container, port: number): Pick<Listener, 'where' | 'path'> | undefined {
  const { ports = [], env = [], args = [], command = [] } = container;
  const at = ports.findIndex(({ containerPort }) => containerPort === port);
  if (at >= 0) return { where: `port ${port}`, path: `ports[${at}]` };
  const isNamed = (text: string) => new RegExp(`(?<![\\d.])${port}(?!\\d)`).test(text);
  const variable = env.findIndex(({ name = '', value = '' }) => portVariable.test(name) && isNamed(value));
  if (variable >= 0)
    return { where: `${env[variable]?.name}=${env[variable]?.value}`, path: `env[${variable}]` };
  const parts = [
    ['args', args],
    ['command', command],
  ] as const;
  for (const [part, words] of parts) {
    const word = words.findIndex((one) => one.length < 200 && isNamed(one));
    if (word >= 0) return { where: `${port} in its ${part}`, path: `${part}[${word}]` };
  }
  return undefined;
}

/** Another container of a pod that listens on a port, as far as its settings say so. @param asking the one that cannot */
export function listenerOf({ spec = {}, ...pod }: Pod, port: number, asking: string): Listener | undefined {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const container of [...(spec.containers ?? []), ...sidecars]) {
    const { name = '' } = container;
    const place = name === asking ? undefined : placeOf(container, port);
    if (place === undefined) continue;
    const { specPath } = containerOf({ ...pod, spec }, name);
    return { name, where: place.where, path: `${specPath}.${place.path}` };
  }
  return undefined;
}
