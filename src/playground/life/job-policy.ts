import { at, type Obj, type Rec, recs, str } from '../kit/values.ts';

/** The action of a job's failure policy on a failed pod, and its message. */
export interface PolicyMatch {
  readonly action: string;
  readonly message: string;
}

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** The first matching rule of a job's `podFailurePolicy` for a failed pod; undefined when none matches. */
export function matchedRule(job: Obj, pod: Obj): PolicyMatch | undefined {
  const { namespace = '', name = '' } = pod.metadata;
  const statuses = [
    ...recs(at(pod, 'status', 'containerStatuses')),
    ...recs(at(pod, 'status', 'initContainerStatuses')),
  ];
  for (const [index, rule] of recs(at(job, 'spec', 'podFailurePolicy', 'rules')).entries()) {
    const action = str(rule['action']);
    const tail = `matching ${action} rule at index ${index}`;
    const codes = rule['onExitCodes'];
    if (codes !== undefined) {
      const values = numbers(at(codes, 'values'));
      const only = str(at(codes, 'containerName'));
      const hit = statuses.find((status) => {
        const code = at(status, 'state', 'terminated', 'exitCode');
        if (typeof code !== 'number' || code === 0 || (only !== '' && status['name'] !== only)) return false;
        return values.includes(code) === (at(codes, 'operator') === 'In');
      });
      if (hit === undefined) continue;
      const code = str(at(hit, 'state', 'terminated', 'exitCode'));
      const message = `Container ${str(hit['name'])} for pod ${namespace}/${name} failed with exit code ${code} ${tail}`;
      return { action, message };
    }
    const wanted = recs(rule['onPodConditions']).find((pattern) =>
      recs(at(pod, 'status', 'conditions')).some(
        (item) => item['type'] === pattern['type'] && item['status'] === (pattern['status'] ?? 'True'),
      ),
    );
    if (wanted === undefined) continue;
    return { action, message: `Pod ${namespace}/${name} has condition ${str(wanted['type'])} ${tail}` };
  }
  return undefined;
}

/** Index of the first rule of a job's `successPolicy` that its succeeded indexes meet; -1 when none does. */
export function metRule(
  job: Obj,
  succeeded: ReadonlySet<number>,
  read: (text: unknown) => Set<number>,
): number {
  return recs(at(job, 'spec', 'successPolicy', 'rules')).findIndex((rule: Rec) => {
    const succeededIndexes =
      rule['succeededIndexes'] === undefined ? undefined : read(rule['succeededIndexes']);
    const hits = Array.from(succeeded).filter(
      (index) => succeededIndexes === undefined || succeededIndexes.has(index),
    ).length;
    return hits >= Number(rule['succeededCount'] ?? succeededIndexes?.size ?? Number.POSITIVE_INFINITY);
  });
}
