import { parseQuantity } from '../../kube/quantity.ts';
import { at, type Rec, rec, recs } from '../kit/values.ts';

/** A pod's quality of service class, from the requests and limits of the pod or of its containers. */
export function qosClass(spec: Rec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  let any = false;
  let guaranteed = true;
  // Pod-level resources take precedence over those of the containers.
  const hasPodLevel = Object.keys(rec(spec['resources'])).length > 0;
  for (const container of hasPodLevel
    ? [spec]
    : [...recs(spec['containers']), ...recs(spec['initContainers'])]) {
    const requests = rec(at(container, 'resources', 'requests'));
    const limits = rec(at(container, 'resources', 'limits'));
    for (const name of ['cpu', 'memory']) {
      const request = parseQuantity(requests[name] as string | undefined) ?? 0;
      const limit = parseQuantity(limits[name] as string | undefined) ?? 0;
      if (request > 0 || limit > 0) any = true;
      if (limit === 0 || request !== limit) guaranteed = false;
    }
  }
  if (!any) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
