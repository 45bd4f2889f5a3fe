import { isSilent } from '../life/node-conditions.ts';
import type { World } from '../store/world.ts';
import { notFound, StatusError } from '../kit/status.ts';
import { at, type Obj, recs, str } from '../kit/values.ts';

/** Port of the kubelets. */
const port = 10_250;

/** A failed connection from the API server to a kubelet. */
export interface KubeletFailure {
  /** The kubelet's address: `10.20.0.11:10250`. */
  readonly host: string;
  /** The error of the connection, as Go prints it. */
  readonly problem: string;
}

/**
 * Why the kubelet of a pod's node cannot be reached; undefined when it can. Throws 404 for a node that no longer
 * exists, as the API server does.
 */
export function kubeletFailure(world: World, pod: Obj): KubeletFailure | undefined {
  const name = str(at(pod, 'spec', 'nodeName'));
  const node = world.store.get('/nodes', name);
  if (node === undefined) throw notFound({ group: '', plural: 'nodes' }, name);
  if (!isSilent(node)) return undefined;
  const addresses = recs(at(node, 'status', 'addresses'));
  const nodeAddress = addresses.find((item) => item['type'] === 'InternalIP') ?? addresses[0];
  const host = `${str(nodeAddress?.['address'])}:${port}`;
  return { host, problem: `dial tcp ${host}: connect: connection refused` };
}

/**
 * Calls once when the kubelet of a pod's node stops answering or its node is deleted. Returns a function that
 * stops watching.
 */
export function onKubeletSilent(world: World, pod: Obj, call: () => void): () => void {
  const name = str(at(pod, 'spec', 'nodeName'));
  const stop = world.store.watch('/nodes', ({ key, after }) => {
    if (key !== name || (after !== undefined && !isSilent(after))) return;
    stop();
    call();
  });
  return stop;
}

/** The URL at which a kubelet serves one container: `https://10.20.0.11:10250/exec/shop/cart-0/cart?tty=1`. */
export const kubeletUrl = (
  host: string,
  endpoint: 'attach' | 'containerLogs' | 'exec',
  pod: Obj,
  container: string,
  parameters: readonly (readonly [name: string, value: string])[],
): string =>
  `https://${host}/${endpoint}/${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}/${container}${encoded(parameters)}`;

/** Query parameters as Go encodes them: sorted by name, stable within a name. */
function encoded(parameters: readonly (readonly [name: string, value: string])[]): string {
  const sorted = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
  sorted.sort();
  const text = sorted.toString();
  return text === '' ? '' : `?${text}`;
}

const logParameters = [
  'follow',
  'previous',
  'timestamps',
  'sinceSeconds',
  'sinceTime',
  'tailLines',
  'limitBytes',
];

/** The refusal of a log whose kubelet does not answer: the HTTP client's error, unchanged. */
export function logRefusal(
  { host, problem }: KubeletFailure,
  pod: Obj,
  container: string,
  query: URLSearchParams,
): StatusError {
  const parameters = logParameters.flatMap((name) => {
    const value = query.get(name) ?? '';
    return value === '' || value === 'false' ? [] : [[name, value] as const];
  });
  const url = kubeletUrl(host, 'containerLogs', pod, container, parameters);
  return new StatusError(500, undefined, `Get "${url}": ${problem}`);
}
