import { z } from 'zod';
import { dnsLabelPattern } from '../../contract/namespaces.ts';
import type { HttpTransport } from './http-transport.ts';
import { ClusterProblem, type KubeRequest } from './transport.ts';

/** The way to a cluster, as far as its namespaces are looked for. */
export type ScopeTransport = Pick<HttpTransport, 'credential' | 'namespace'> & {
  json<T>(request: KubeRequest): Promise<T>;
};

const rulesSchema = z.object({
  status: z.object({
    incomplete: z.optional(z.boolean()),
    resourceRules: z
      .array(
        z.object({
          verbs: z.array(z.string()).default([]),
          apiGroups: z.array(z.string()).default([]),
          resources: z.array(z.string()).default([]),
          resourceNames: z.array(z.string()).default([]),
        }),
      )
      .default([]),
  }),
});
/** Permissions of a credential in one namespace, those in the whole cluster included. */
export type Rules = z.infer<typeof rulesSchema>['status']['resourceRules'];

/** Permissions that every signed-in account has: they do not make a namespace readable. */
const selfGroups: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

/** The namespaces that rules name one by one: a role that may get or list these and no other. */
export function namespacesNamedBy(rules: Rules): readonly string[] {
  return rules
    .filter(
      ({ verbs, apiGroups, resources }) =>
        verbs.some((verb) => verb === '*' || verb === 'get' || verb === 'list') &&
        apiGroups.some((group) => group === '*' || group === '') &&
        resources.some((resource) => resource === '*' || resource === 'namespaces'),
    )
    .flatMap(({ resourceNames }) => resourceNames)
    .filter((name) => dnsLabelPattern.test(name));
}

/** Whether rules of a namespace let a list of anything be read there. */
export function canList(rules: Rules): boolean {
  return rules.some(
    ({ verbs, apiGroups, resourceNames }) =>
      verbs.some((verb) => verb === '*' || verb === 'list') &&
      resourceNames.length === 0 &&
      apiGroups.some((group) => !selfGroups.has(group)),
  );
}

/** Whether rules let a list of a resource be read, somewhere. */
export function canListResource(
  rules: Rules,
  { group, plural }: { readonly group: string; readonly plural: string },
): boolean {
  return rules.some(
    ({ verbs, apiGroups, resources, resourceNames }) =>
      verbs.some((verb) => verb === '*' || verb === 'list') &&
      resourceNames.length === 0 &&
      apiGroups.some((one) => one === '*' || one === group) &&
      resources.some((one) => one === '*' || one === plural),
  );
}

/** The credential's permissions in a namespace (SelfSubjectRulesReview); undefined if the cluster does not say. */
export async function rulesIn(transport: ScopeTransport, namespace: string): Promise<Rules | undefined> {
  return (await reviewIn(transport, namespace))?.resourceRules;
}

/** The same with whether the cluster says that it cannot name them all. Throws ClusterProblem. */
export async function reviewIn(
  transport: ScopeTransport,
  namespace: string,
): Promise<z.infer<typeof rulesSchema>['status'] | undefined> {
  try {
    const answer = await transport.json({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: { namespace },
      },
    });
    const parsed = rulesSchema.safeParse(answer);
    return parsed.success ? parsed.data.status : undefined;
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status !== undefined) return undefined;
    throw error;
  }
}
