/** Go's message for a failed connection to a kubelet, with the address: IPv4, IPv6 in brackets, or a host name. */
const dialFailure =
  /\bdial tcp (\[[0-9a-fA-F:.%]+\]|[\w.-]+):10250: (?:connect: )?(connection refused|no route to host|connection timed out|network is unreachable|i\/o timeout)/;

/**
 * Explains in a sentence that an API server could not reach the kubelet for logs, exec or attach; undefined for other
 * messages. Source: the errors of Go's net package, which the API server passes on.
 */
export function unreachedKubelet(message: string): string | undefined {
  const [, address, problem] = dialFailure.exec(message) ?? [];
  if (address === undefined || problem === undefined) return undefined;
  return `The kubelet of the pod's node, at ${address}, does not answer (${problem}). Check the node: until it is back, nothing can be read from its pods or run in them.`;
}
