import type { DisruptionBudget, EvictionVerdict } from '../../../kube/disruption.ts';
import { cleanText } from '../../../kube/text.ts';
import { ClusterProblem } from '../../clusters/transport.ts';
import { readEach } from '../../objects/read.ts';
import type { JobContext } from '../job.ts';

/** Budgets that a plan reads at most. */
const maxBudgets = 20_000;

/** The disruption budgets of a cluster, or why they could not be read: a whole sentence. */
export type Budgets =
  | { readonly type: 'read'; readonly budgets: readonly DisruptionBudget[] }
  | { readonly type: 'unread'; readonly reason: string };

/**
 * Reads the disruption budgets of all namespaces, keeping only the fields that decide evictions. If the cluster refuses
 * them or does not serve them, the answer says so: a drain works without them. Throws ClusterProblem if asking again
 * may help.
 */
export async function readBudgets({
  transport,
  cluster,
}: Pick<JobContext, 'transport' | 'cluster'>): Promise<Budgets> {
  try {
    const budgets = await readEach(
      transport,
      {
        path: '/apis/policy/v1/poddisruptionbudgets',
        what: 'disruption budgets',
        limit: maxBudgets,
        tooMany: `${cluster.name} has more than ${maxBudgets.toLocaleString('en')} disruption budgets.`,
        cluster: cluster.name,
      },
      (page) => page.map(budgetIn),
    );
    return { type: 'read', budgets };
  } catch (error) {
    if (!(error instanceof ClusterProblem) || error.retryable) throw error;
    return { type: 'unread', reason: error.title };
  }
}

/** A budget without what evictions are not judged by. What a number should be and is none counts as 0. */
function budgetIn({ metadata, spec, status }: DisruptionBudget): DisruptionBudget {
  const { name = '', namespace = '', generation = 0 } = metadata ?? {};
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    metadata: { name, namespace, generation },
    ...(spec === undefined ? {} : { spec }),
    status: {
      observedGeneration: number(status?.observedGeneration),
      disruptionsAllowed: number(status?.disruptionsAllowed),
      currentHealthy: number(status?.currentHealthy),
      desiredHealthy: number(status?.desiredHealthy),
    },
  };
}

const nameOf = ({ metadata }: DisruptionBudget) => cleanText(metadata?.name ?? '');

/** Maximum number of names listed of the budgets of one pod. */
const maxNamed = 3;

/** The note of a plan on a pod that is not evicted at once; null for one that is. */
export function verdictText(verdict: EvictionVerdict): string | null {
  switch (verdict.type) {
    case 'goes':
      return null;
    case 'held': {
      const { desiredHealthy = 0, currentHealthy = 0 } = verdict.budget.status ?? {};
      return `is held back now: disruption budget ${nameOf(verdict.budget)} needs ${podsOf(desiredHealthy, 'healthy ')} and has ${currentHealthy}`;
    }
    case 'uncounted':
      return `is held back now: disruption budget ${nameOf(verdict.budget)} was changed and its pods are not counted yet`;
    case 'queued':
      return `waits for its turn: disruption budget ${nameOf(verdict.budget)} allows ${verdict.allowed === 1 ? '1 eviction' : `${verdict.allowed} evictions`} at once`;
    case 'refused': {
      const names = verdict.budgets.slice(0, maxNamed).map(nameOf).join(', ');
      const rest = verdict.budgets.length - maxNamed;
      return `cannot be evicted: more than one disruption budget selects it (${names}${rest > 0 ? ` and ${rest} more` : ''})`;
    }
    default:
      return verdict satisfies never;
  }
}

const podsOf = (count: number, adjective = '') => `${count} ${adjective}${count === 1 ? 'pod' : 'pods'}`;

/** The notes of a plan on the budgets as a whole, in sentences. */
export function budgetNotes(read: Budgets, verdicts: readonly EvictionVerdict[]): string[] {
  if (read.type === 'unread') {
    return [
      `The disruption budgets could not be read, so it is unknown which pods they protect. ${read.reason}`,
      'The cluster still applies them: an eviction that a budget blocks is retried until it is allowed.',
    ];
  }
  const refused = verdicts.filter(({ type }) => type === 'refused').length;
  const waiting = verdicts.filter(({ type }) => type !== 'goes' && type !== 'refused').length;
  return [
    waiting === 0
      ? 'No pod has to wait for a disruption budget now.'
      : `${podsOf(waiting)} ${waiting === 1 ? 'waits' : 'wait'} until a disruption budget allows the eviction.`,
    ...(refused === 0
      ? []
      : [
          `Kubernetes refuses to evict ${podsOf(refused)} under more than one disruption budget: the drain will fail there. Change the budgets so that only one selects each pod.`,
        ]),
  ];
}
