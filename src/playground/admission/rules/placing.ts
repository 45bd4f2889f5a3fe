import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, rec, recs, str } from '../../kit/values.ts';
import { keyProblem, keyProblems, labelProblem, subdomainProblem, valueProblem } from '../../kit/names.ts';
import { emptyScope, type Check, empty, inside, oneOf, required, type RuleSet } from './rule.ts';

const core = 'io.k8s.api.core.v1.';

const toleration: Check = (value, path) => {
  if (!isRec(value)) return [];
  const causes: Cause[] = [];
  const key = str(value['key']);
  const operator = str(value['operator']);
  const problem = key === '' ? undefined : keyProblem(key);
  if (problem !== undefined) causes.push(cause.invalid(`${path}.key`, key, problem));
  if (key === '' && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    causes.push(cause.invalid(`${path}.operator`, operator, why));
  }
  const effect = str(value['effect']);
  if (value['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
    causes.push(
      cause.invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  }
  const given = str(value['value']);
  if (operator === '' || operator === 'Equal') {
    const refused = valueProblem(given);
    if (refused !== undefined) causes.push(cause.invalid(`${path}.operator`, given, refused));
  } else if (operator === 'Exists') {
    if (given !== '')
      causes.push(
        cause.invalid(`${path}.operator`, given, "value must be empty when `operator` is 'Exists'"),
      );
  } else causes.push(cause.notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
  return [...causes, ...effects(value['effect'], `${path}.effect`, value, emptyScope)];
};
const effects = oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

const nodeOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const nodeRequirement: Check = (value, path) => {
  if (!isRec(value)) return [];
  const operator = str(value['operator']);
  const values = (Array.isArray(value['values']) ? value['values'] : []) as string[];
  if (path.includes('.matchFields[')) return nodeField(value, path);
  const causes: Cause[] = [];
  if (!nodeOperators.includes(operator))
    causes.push(cause.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  else if (['In', 'NotIn'].includes(operator) && values.length === 0) {
    causes.push(cause.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (['Exists', 'DoesNotExist'].includes(operator) && values.length > 0) {
    causes.push(
      cause.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    );
  } else if (['Gt', 'Lt'].includes(operator) && values.length !== 1) {
    causes.push(
      cause.required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
    );
  }
  causes.push(
    ...keyProblems(str(value['key'])).map((why) => cause.invalid(`${path}.key`, str(value['key']), why)),
  );
  // Preferences may use values that are no valid labels; requirements may not.
  if (path.includes('.preference.')) return causes;
  return [
    ...causes,
    ...values.flatMap((one, index) => {
      const problem = valueProblem(str(one));
      return problem === undefined ? [] : [cause.invalid(`${path}.values[${index}]`, one, problem)];
    }),
  ];
};

/** A requirement on a node's fields; `metadata.name` is the only one. */
function nodeField(value: Rec, path: string): Cause[] {
  const [key, operator] = [str(value['key']), str(value['operator'])];
  const values = (Array.isArray(value['values']) ? value['values'] : []) as string[];
  const causes: Cause[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    causes.push(cause.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  else if (values.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    causes.push(cause.required(`${path}.values`, why));
  }
  if (key !== 'metadata.name')
    return [...causes, cause.invalid(`${path}.key`, key, 'not a valid field selector key')];
  return [
    ...causes,
    ...values.flatMap((one, index) => {
      const problem = subdomainProblem(str(one));
      return problem === undefined ? [] : [cause.invalid(`${path}.values[${index}]`, one, problem)];
    }),
  ];
}

const weight: Check = (value, path) =>
  Number(value ?? 0) < 1 || Number(value ?? 0) > 100
    ? [cause.invalid(path, Number(value ?? 0), 'must be in the range 1-100')]
    : [];
const topology: Check = (value, path) => {
  const missing = empty(value) ? [cause.required(path, 'can not be empty')] : [];
  return [...missing, ...keyProblems(str(value)).map((problem) => cause.invalid(path, str(value), problem))];
};

const spreadActions = ['DoNotSchedule', 'ScheduleAnyway'];
const tooFew = 'must be greater than zero';

/** Refuses a spread constraint when a later one has the same topology key and the same action. */
const repeated: Check = (value, path, _owner, { pod }) => {
  const index = Number(/\[(\d+)\]$/.exec(path)?.[1] ?? 0);
  const constraintKey = (one: unknown) =>
    `{${str(at(one, 'topologyKey'))}, ${str(at(one, 'whenUnsatisfiable'))}}`;
  const later = recs(pod?.['topologySpreadConstraints']).slice(index + 1);
  return later.some((one) => constraintKey(one) === constraintKey(value))
    ? [cause.duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, constraintKey(value))]
    : [];
};

/** `matchLabelKeys` of a spread constraint: label keys that its selector does not use. */
const labelKeys: Check = (value, path, owner) => {
  const keys = (Array.isArray(value) ? value : []) as string[];
  if (keys.length === 0) return [];
  const selector = owner['labelSelector'];
  const selectorKeys = new Set([
    ...Object.keys(rec(at(selector, 'matchLabels'))),
    ...recs(at(selector, 'matchExpressions')).map((one) => str(one['key'])),
  ]);
  return [
    ...(selector === undefined
      ? [cause.forbidden(path, 'must not be specified when labelSelector is not set')]
      : []),
    ...keys.flatMap((key, index) => [
      ...keyProblems(key).map((why) => cause.invalid(`${path}[${index}]`, key, why)),
      ...(selectorKeys.has(key)
        ? [cause.invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector')]
        : []),
    ]),
  ];
};

/**
 * `matchLabelKeys` and `mismatchLabelKeys` of pod affinity: they need a selector, and a key is in only one of
 * them. `other`: the other field's name.
 */
const affinityKeys =
  (other?: string): Check =>
  (value, path, owner) => {
    const keys = (Array.isArray(value) ? value : []) as string[];
    if (keys.length === 0) return [];
    if (owner['labelSelector'] === undefined)
      return [cause.forbidden(path, 'must not be specified when labelSelector is not set')];
    const unwanted = other === undefined ? undefined : owner[other];
    return keys.flatMap((key, index) => [
      ...keyProblems(key).map((why) => cause.invalid(`${path}[${index}]`, key, why)),
      ...(Array.isArray(unwanted) && unwanted.includes(key)
        ? [cause.invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
        : []),
    ]);
  };

/** Rules of where pods may run: tolerations, affinities, spreading. */
export const placingRules: RuleSet = {
  [`${core}Toleration`]: { '*': toleration, operator: inside, effect: inside },
  [`${core}NodeSelector`]: {
    nodeSelectorTerms: required('must have at least one node selector term'),
  },
  [`${core}NodeSelectorRequirement`]: { '*': nodeRequirement, operator: inside },
  [`${core}PreferredSchedulingTerm`]: { weight },
  [`${core}WeightedPodAffinityTerm`]: { weight },
  [`${core}PodAffinityTerm`]: {
    labelSelector: inside,
    namespaceSelector: inside,
    namespaces: (value, path) =>
      (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
        const problem = labelProblem(str(one));
        return problem === undefined ? [] : [cause.invalid(path.replace(/s$/, ''), one, problem)];
      }),
    matchLabelKeys: affinityKeys('mismatchLabelKeys'),
    mismatchLabelKeys: affinityKeys(),
    topologyKey: topology,
  },
  [`${core}TopologySpreadConstraint`]: {
    maxSkew: (value, path) =>
      Number(value ?? 0) <= 0 ? [cause.invalid(path, Number(value ?? 0), tooFew)] : [],
    topologyKey: required('can not be empty'),
    whenUnsatisfiable: (value, path) =>
      spreadActions.includes(str(value)) ? [] : [cause.notSupported(path, str(value), spreadActions)],
    '*repeated': repeated,
    minDomains: (value, path, owner) => {
      if (value === undefined) return [];
      const when = str(owner['whenUnsatisfiable']);
      const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;
      return [
        ...(Number(value) <= 0 ? [cause.invalid(path, value, tooFew)] : []),
        ...(when === 'DoNotSchedule' ? [] : [cause.invalid(path, value, why)]),
      ];
    },
    nodeAffinityPolicy: oneOf(['Honor', 'Ignore']),
    nodeTaintsPolicy: oneOf(['Honor', 'Ignore']),
    matchLabelKeys: labelKeys,
    labelSelector: inside,
  },
};
