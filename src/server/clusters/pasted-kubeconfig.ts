import { Problem } from '../../contract/problem.ts';
import type { AddressGuard } from './address.ts';
import { contextProblems } from './judge.ts';
import { chooseContext, parseKubeconfig } from './kubeconfig.ts';
import type { Target } from './target.ts';

/** A kubeconfig that a person pasted, with the context to use of it. */
export interface PastedKubeconfig {
  readonly kubeConfigContent: string;
  /** May be left out where there is one context. */
  readonly context?: string | undefined;
}

/** The result of reading a pasted kubeconfig. */
export interface PastedTarget {
  readonly target: Target;
  /** ISO; null where the credential names no end. */
  readonly credentialExpiresAt: string | null;
}

/**
 * The usable target of a pasted kubeconfig. Throws Problem 400 with every reason why there is none.
 * @param name of the cluster, for the problem
 * @param now epoch, ms
 */
export function pastedTarget(
  name: string,
  { kubeConfigContent, context: contextName }: PastedKubeconfig,
  guard: AddressGuard,
  now: number,
): PastedTarget {
  const context = chooseContext(parseKubeconfig(kubeConfigContent), contextName);
  const problems = contextProblems(context, guard, now);
  if (context.target === undefined || problems.length > 0) {
    throw new Problem({
      status: 400,
      title: problems.join(' '),
      where: { source: 'console', cluster: name },
    });
  }
  return { target: context.target, credentialExpiresAt: context.expiresAt?.toISOString() ?? null };
}
