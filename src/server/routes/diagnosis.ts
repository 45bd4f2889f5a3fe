import type { diagnosisEndpoints } from '../../contract/diagnosis.ts';
import { createDiagnoses } from '../diagnosis/diagnosis.ts';
import { Problem } from '../../contract/problem.ts';
import type { Handlers } from '../http/handlers.ts';
import { createLimiter, type Limiter } from '../kit/limiter.ts';
import type { RouteParts } from './parts.ts';

/** Diagnoses that run at once for one person, and those that may wait behind them. */
const lane = { atOnce: 2, waiting: 10 } as const;

/** Lets each person have some diagnoses at once; more wait, and above that are refused. */
class DiagnosisLanes {
  readonly #lanes = new Map<number, { readonly turns: Limiter; asking: number }>();

  /** Throws Problem 429 where too many wait already. */
  async run<T>(personId: number, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const own = this.#lanes.get(personId) ?? { turns: createLimiter(lane.atOnce), asking: 0 };
    if (own.asking >= lane.atOnce + lane.waiting)
      throw new Problem({
        status: 429,
        title: `The console runs ${lane.atOnce} diagnoses at a time for you, and ${lane.waiting} more are waiting. Try again in a few seconds.`,
      });
    this.#lanes.set(personId, own);
    own.asking += 1;
    try {
      return await own.turns.run(task, signal);
    } finally {
      own.asking -= 1;
      if (own.asking === 0) this.#lanes.delete(personId);
    }
  }
}

/** Why objects, namespaces and clusters are in trouble. Each finding is checked against what the person may see. */
export function diagnosisHandlers({
  hub,
  clusters,
  grants,
  clock,
}: Pick<RouteParts, 'hub' | 'clusters' | 'grants' | 'clock'>): Handlers<typeof diagnosisEndpoints> {
  const diagnoses = createDiagnoses({ hub, clusters, clock });
  const lanes = new DiagnosisLanes();
  return {
    async diagnoseObject({ params, query }, { kind, cluster, person, signal }) {
      const reach = await grants.access(person, cluster.id);
      return await lanes.run(person.id, signal, () =>
        diagnoses.object(kind, { ...query, name: params.name }, { reach, signal }),
      );
    },
    async diagnoseCluster({ query }, { cluster, person, signal }) {
      const reach = await grants.access(person, cluster.id);
      return await lanes.run(person.id, signal, () => diagnoses.place(query.namespace, { reach, signal }));
    },
  };
}
