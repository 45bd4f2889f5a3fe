import type { diagnosisEndpoints } from '../../contract/diagnosis.ts';
import { createDiagnoses } from '../diagnosis/diagnosis.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../http/services.ts';
import { systemClock } from '../kit/clock.ts';

/** Why objects, namespaces and clusters are in trouble. Each finding is checked against what the person may see. */
export function diagnosisHandlers({
  hub,
  clusters,
  grants,
}: Pick<Services, 'hub' | 'clusters' | 'grants'>): Handlers<typeof diagnosisEndpoints> {
  const diagnoses = createDiagnoses({ hub, clusters, clock: systemClock });
  return {
    async diagnoseObject({ params, query }, { kind, cluster, person, signal }) {
      const reach = await grants.access(person, cluster.id);
      return await diagnoses.object(kind, { ...query, name: params.name }, { reach, signal });
    },
    async diagnoseCluster({ query }, { cluster, person, signal }) {
      const reach = await grants.access(person, cluster.id);
      return await diagnoses.place(query.namespace, { reach, signal });
    },
  };
}
