import { type Cause, cause } from '../../kit/status.ts';
import { recs, str } from '../../kit/values.ts';
import { keyProblems, valueProblem } from '../../kit/names.ts';
import { emptyScope, type Check, oneOf, rangeProblem, type RuleSet } from './rule.ts';

const core = 'io.k8s.api.core.v1.';

const effects = oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], true);

/** Taints of a node; the server reports them under `metadata.taints`. */
const taints: Check = (value) => {
  const seen = new Set<string>();
  return recs(value).flatMap((taint, index) => {
    const inner = `metadata.taints[${index}]`;
    const [key, given, effect] = [str(taint['key']), str(taint['value']), str(taint['effect'])];
    const causes: Cause[] = keyProblems(key).map((why) => cause.invalid(`${inner}.key`, key, why));
    const refused = valueProblem(given);
    if (refused !== undefined) causes.push(cause.invalid(`${inner}.value`, given, refused));
    causes.push(...effects(effect, `${inner}.effect`, taint, emptyScope));
    const pair = `${effect} ${key}`;
    if (seen.has(pair)) {
      const goTaint = { Key: key, Value: given, Effect: effect, TimeAdded: taint['timeAdded'] ?? null };
      const duplicate = cause.duplicate(inner, goTaint);
      causes.push({
        ...duplicate,
        message: `${duplicate.message}: taints must be unique by key and effect pair`,
      });
    }
    seen.add(pair);
    return causes;
  });
};

/** Pod CIDR ranges of a node: at most one of each IP family. */
const podRanges: Check = (value, path) => {
  const ranges = (Array.isArray(value) ? value : []) as string[];
  const causes = ranges.flatMap((range, index) => {
    const problem = rangeProblem(range);
    return problem === undefined ? [] : [cause.invalid(`${path}[${index}]`, range, problem)];
  });
  const families = new Set(ranges.map((range) => range.includes(':')));
  return families.size === ranges.length
    ? causes
    : [...causes, cause.invalid(path, ranges, 'may specify no more than one CIDR for each IP family')];
};

/** Rules of nodes. */
export const nodeRules: RuleSet = {
  [`${core}NodeSpec`]: { taints, podCIDRs: podRanges },
  [`${core}Taint`]: { effect: () => [] },
};
