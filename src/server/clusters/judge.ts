import type { KubeconfigContext } from '../../contract/clusters.ts';
import type { AddressGuard } from './address.ts';
import type { ParsedContext } from './kubeconfig.ts';

/**
 * The reasons why a pasted context cannot be added, as sentences: refused fields, an address that the console does not
 * connect to, an expired credential. Empty if there are none.
 * @param now wall clock in ms
 */
export function contextProblems(context: ParsedContext, guard: AddressGuard, now: number): string[] {
  const problems = [...context.problems];
  const address = addressProblem(context.server, guard);
  if (address !== undefined) problems.push(address);
  const { expiresAt } = context;
  if (expiresAt !== undefined && expiresAt.getTime() <= now) {
    problems.push(`The credential expired on ${expiresAt.toISOString().slice(0, 10)}. Get a new one.`);
  }
  return problems;
}

function addressProblem(server: string, guard: AddressGuard): string | undefined {
  if (server === '') return undefined;
  const { hostname } = new URL(server);
  const reason = guard.refusalOfHost(hostname);
  if (reason === undefined) return undefined;
  if (reason === guard.refusalOfHost('localhost')) {
    return (
      `${hostname} is ${reason}: only the console's own machine answers there, as kind and minikube do. ` +
      'The operator can start the console with npm start -- --kubeconfig FILE, or list the address in WHEELHOUSE_ALLOW_CIDRS.'
    );
  }
  return `${hostname} is ${reason}, which the console does not connect to. The operator can list it in WHEELHOUSE_ALLOW_CIDRS.`;
}

/** A context as it is offered for adding. */
export function presentContext(context: ParsedContext, problems: readonly string[]): KubeconfigContext {
  return {
    name: context.name,
    cluster: context.cluster,
    server: context.server,
    ...(context.namespace === undefined ? {} : { namespace: context.namespace }),
    isCurrent: context.isCurrent,
    credential: context.credential,
    credentialExpiresAt: context.expiresAt?.toISOString() ?? null,
    ...(problems.length === 0 ? {} : { problem: problems.join(' ') }),
  };
}
