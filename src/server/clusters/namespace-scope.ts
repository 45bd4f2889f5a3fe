import { z } from 'zod';
import { namespacesLimit } from '../../contract/cluster-settings.ts';
import { dnsLabelPattern } from '../../contract/namespaces.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import {
  canList,
  canListResource,
  namespacesNamedBy,
  reviewIn,
  type Rules,
  rulesIn,
  type ScopeTransport,
} from './credential-rules.ts';
import { ClusterProblem } from './transport.ts';
import type { Clock } from '../kit/clock.ts';

/** The namespaces found by asking the cluster are asked for again after this long (ms). */
const believedMs = 60_000;

/**
 * The namespaces that a credential may read where it may not list the whole cluster: the context's own (`default`
 * without one, as kubectl has it), those that its rules name, those that grants of the console name, and that of its
 * service account, each kept only if its rules allow a list there.
 * Throws ClusterProblem when the cluster does not answer.
 * @param granted namespaces that grants of the console name
 */
export async function findNamespaces(
  transport: ScopeTransport,
  granted: readonly string[],
): Promise<readonly string[]> {
  const own = transport.namespace ?? 'default';
  const ownRules = await rulesIn(transport, own);
  // A cluster without this API cannot say: the namespace that the kubeconfig names is believed.
  if (ownRules === undefined) return transport.namespace === undefined ? [] : [own];
  const others = new Set([
    ...namespacesNamedBy(ownRules),
    ...granted,
    ...(await accountNamespace(transport)),
  ]);
  others.delete(own);
  const asked = [...others].slice(0, namespacesLimit);
  const answers = await Promise.all(asked.map((name) => rulesIn(transport, name)));
  const readable = asked.filter((_, at) => canList(answers[at] ?? []));
  return canList(ownRules) ? [own, ...readable] : readable;
}

const accountSchema = z.object({ status: z.object({ userInfo: z.object({ username: z.string() }) }) });

/** The namespace of the service account that the credential is of; empty for other credentials. Throws ClusterProblem. */
async function accountNamespace(transport: ScopeTransport): Promise<readonly string[]> {
  const version = 'authentication.k8s.io/v1';
  try {
    const answer = await transport.json({
      method: 'POST',
      path: `/apis/${version}/selfsubjectreviews`,
      body: { apiVersion: version, kind: 'SelfSubjectReview' },
    });
    const username = accountSchema.safeParse(answer).data?.status.userInfo.username ?? '';
    const name = /^system:serviceaccount:([^:]+):/.exec(username)?.[1] ?? '';
    return dnsLabelPattern.test(name) ? [name] : [];
  } catch (error) {
    // Clusters before 1.28 do not have it.
    if (error instanceof ClusterProblem && error.upstream.status !== undefined) return [];
    throw error;
  }
}

/** Which namespaces of a cluster are read one by one. */
export interface NamespaceScopes {
  /**
   * The namespaces that the cluster's rules name, then those found with the credential; each once, 50 at most.
   * To be asked only where the whole cluster may not be read. Throws ClusterProblem.
   * @param granted namespaces of the cluster that grants of the console name
   */
  of(row: ClusterRow, granted: readonly string[]): Promise<readonly string[]>;
  /**
   * Rights of the credential in the whole cluster or in one of these namespaces; undefined where the cluster does not
   * say, or not all of it, and where none of these namespaces is known. Throws ClusterProblem.
   */
  rules(row: ClusterRow, granted: readonly string[]): Promise<Rules | undefined>;
}

/** Rules of an administrator let this be listed. */
const anyResource = { group: '*', plural: '*' };

/** Remembers for a minute what each credential was found to reach. */
export function createNamespaceScopes(
  transportOf: (row: ClusterRow) => Promise<ScopeTransport>,
  clock: Clock,
): NamespaceScopes {
  const known = new Map<number, { key: string; until: number; found: Promise<readonly string[]> }>();

  function found(
    clusterId: number,
    transport: ScopeTransport,
    granted: readonly string[],
  ): Promise<readonly string[]> {
    const key = [transport.credential, ...granted].join(' ');
    const before = known.get(clusterId);
    if (before !== undefined && before.key === key && before.until > clock.now()) return before.found;
    const entry = { key, until: clock.now() + believedMs, found: findNamespaces(transport, granted) };
    known.set(clusterId, entry);
    entry.found.catch(() => {
      if (known.get(clusterId) === entry) known.delete(clusterId);
    });
    return entry.found;
  }

  const scopes: NamespaceScopes = {
    async of(row, granted) {
      const names = new Set([...row.namespaces, ...(await found(row.id, await transportOf(row), granted))]);
      return [...names].slice(0, namespacesLimit);
    },
    async rules(row, granted) {
      const transport = await transportOf(row);
      const own = transport.namespace ?? 'default';
      const first = await reviewIn(transport, own);
      if (first === undefined || canListResource(first.resourceRules, anyResource))
        return first?.resourceRules;
      const readable = await scopes.of(row, granted);
      if (readable.length === 0) return undefined;
      const others = readable.filter((name) => name !== own);
      const reviews = [first, ...(await Promise.all(others.map((name) => reviewIn(transport, name))))];
      const known = reviews.filter((review) => review !== undefined);
      if (known.some(({ incomplete }) => incomplete === true)) return undefined;
      return known.flatMap(({ resourceRules }) => resourceRules);
    },
  };
  return scopes;
}
