/** How Go says that a kubelet's port was not reached, with its address: IPv4, IPv6 in brackets, or a name. */
const dialFailure =
  /\bdial tcp (\[[0-9a-fA-F:.%]+\]|[\w.-]+):10250: (?:connect: )?(connection refused|no route to host|connection timed out|network is unreachable|i\/o timeout)/;

/**
 * What an API server's refusal of logs, exec or attach means that could not reach the kubelet of the pod's node, as a
 * sentence; undefined for any other. Source: the errors of Go's net package, which the server hands on as they are.
 */
export function unreachedKubelet(message: string): string | undefined {
  const [, address, problem] = dialFailure.exec(message) ?? [];
  if (address === undefined || problem === undefined) return undefined;
  return `The kubelet of the pod's node, at ${address}, does not answer (${problem}). Look at the node: until it is back, nothing can be read from its pods or run in them.`;
}
