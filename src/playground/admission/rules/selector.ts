import { matchesSelector } from '../../../kube/selector.ts';
import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, recs, str, strings } from '../../kit/values.ts';
import { keyProblem, labelCauses, valueProblem } from '../../kit/names.ts';
import { type Check, empty, type RuleSet } from './rule.ts';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/**
 * The causes for which one label requirement is refused. `lenient`: accepts unknown operators, which newer
 * clients may send.
 */
export function requirement(item: Rec, path: string, lenient = false): Cause[] {
  const causes: Cause[] = [];
  const operator = str(item['operator']);
  const values = (Array.isArray(item['values']) ? item['values'] : []) as string[];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      causes.push(cause.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (OPERATORS.includes(operator)) {
    if (values.length > 0) {
      causes.push(
        cause.forbidden(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      );
    }
  } else if (!lenient) {
    causes.push(cause.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  const problem = keyProblem(str(item['key']));
  if (problem !== undefined) causes.push(cause.invalid(`${path}.key`, str(item['key']), problem));
  for (const [index, value] of values.entries()) {
    const refused = valueProblem(value);
    if (refused !== undefined) causes.push(cause.invalid(`${path}.values[${index}]`, value, refused));
  }
  return causes;
}

/** The causes for which a label selector is refused. */
function labelSelector(value: Rec, path: string): Cause[] {
  return [
    ...labelCauses(`${path}.matchLabels`, strings(value['matchLabels'])),
    ...recs(value['matchExpressions']).flatMap((item, index) =>
      requirement(item, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

/** A workload's selector: present, not empty, and matching the template's labels. */
export const workloadSelector =
  (kind: 'deployment' | 'statefulset' | 'daemonset'): Check =>
  (value, path, spec) => {
    const labels = strings(at(spec, 'template', 'metadata', 'labels'));
    const mismatch = cause.invalid(
      `${path.slice(0, path.lastIndexOf('.'))}.template.metadata.labels`,
      empty(labels) ? null : labels,
      '`selector` does not match template `labels`',
    );
    // An absent selector selects nothing, so it does not match the template either.
    if (!isRec(value)) return kind === 'daemonset' ? [mismatch] : [cause.required(path), mismatch];
    const faults = labelSelector(value, path);
    if (faults.length > 0) {
      if (kind === 'daemonset') return faults;
      return [...faults, cause.invalid(path, value, kind === 'statefulset' ? '' : 'invalid label selector')];
    }
    if (empty(value['matchLabels']) && empty(value['matchExpressions'])) {
      return [cause.invalid(path, value, `empty selector is invalid for ${kind}`)];
    }
    return matchesSelector(value, labels) ? [] : [mismatch];
  };

/** Rules of label selectors, wherever they occur. */
export const selectorRules: RuleSet = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector': {
    '*': (value, path) => (isRec(value) ? labelSelector(value, path) : []),
  },
};
