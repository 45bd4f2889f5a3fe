import { compareQuantities, ratioOf } from '../../kit/quantity.ts';
import { type Cause, cause } from '../../kit/status.ts';
import { at, recs, str, strings } from '../../kit/values.ts';
import { keyProblem } from '../../kit/names.ts';
import { containerResource, overcommits } from './demand.ts';
import { type Check, empty, resourceNameCauses } from './rule.ts';

const limitTypes = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** The limits of a limit range: each type once, and no amounts that contradict each other. */
export const limits: Check = (value, path) => {
  const seen = new Set<string>();
  return recs(value).flatMap((limit, index) => {
    const inner = `${path}[${index}]`;
    const causes: Cause[] = [];
    const type = str(limit['type']);
    const problem = keyProblem(type);
    if (problem !== undefined) causes.push(cause.invalid(`${inner}.type`, type, problem));
    else if (!type.includes('/') && !limitTypes.has(type)) {
      causes.push(cause.invalid(`${inner}.type`, type, 'must be a standard limit type or fully qualified'));
    }
    if (seen.has(type)) causes.push(cause.duplicate(`${inner}.type`, type));
    seen.add(type);
    const nameCauses = (field: string) =>
      Object.keys(strings(limit[field])).flatMap((name) => {
        const check = type === 'Pod' || type === 'Container' ? containerResource : resourceNameCauses;
        return check(name, `${inner}.${field}[${name}]`);
      });
    causes.push(...nameCauses('max'), ...nameCauses('min'));
    if (type === 'Pod') {
      for (const field of ['default', 'defaultRequest']) {
        if (empty(limit[field])) continue;
        causes.push(cause.forbidden(`${inner}.${field}`, "may not be specified when `type` is 'Pod'"));
      }
    } else causes.push(...nameCauses('default'), ...nameCauses('defaultRequest'));
    if (
      type === 'PersistentVolumeClaim' &&
      at(limit, 'min', 'storage') === undefined &&
      at(limit, 'max', 'storage') === undefined
    ) {
      const why = 'either minimum or maximum storage value is required, but neither was provided';
      causes.push(cause.required(`${inner}.limits`, why));
    }
    return [...causes, ...nameCauses('maxLimitRequestRatio'), ...bounds(limit, inner, type === 'Pod')];
  });
};

/** The causes for which amounts of a limit contradict each other: min above max, a default outside both. */
function bounds(limit: Readonly<Record<string, unknown>>, path: string, ofPod: boolean): Cause[] {
  const of = (field: string) => (ofPod && field.startsWith('default') ? {} : strings(limit[field]));
  const [min, max, defaults, request] = [of('min'), of('max'), of('default'), of('defaultRequest')];
  const ratios = of('maxLimitRequestRatio');
  const names = new Set([max, min, defaults, request, ratios].flatMap((map) => Object.keys(map)));
  const causes: Cause[] = [];
  for (const name of names) {
    const check = (
      field: string,
      value: string | undefined,
      low: string | undefined,
      high: string | undefined,
      labels: readonly [string, string],
    ) => {
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return;
      const why = `${labels[0]} ${low} is greater than ${labels[1]} ${high}`;
      causes.push(cause.invalid(`${path}.${field}[${name}]`, value, why));
    };
    const [minimum, maximum, defaultLimit, defaultRequest] = [
      min[name],
      max[name],
      defaults[name],
      request[name],
    ];
    check('min', minimum, minimum, maximum, ['min value', 'max value']);
    check('defaultRequest', defaultRequest, minimum, defaultRequest, ['min value', 'default request value']);
    check('defaultRequest', defaultRequest, defaultRequest, maximum, ['default request value', 'max value']);
    check('defaultRequest', defaultRequest, defaultRequest, defaultLimit, [
      'default request value',
      'default limit value',
    ]);
    check('default', minimum, minimum, defaultLimit, ['min value', 'default value']);
    check('default', maximum, defaultLimit, maximum, ['default value', 'max value']);
    causes.push(...ratioCauses(ratios[name], minimum, maximum, `${path}.maxLimitRequestRatio[${name}]`));
    if (defaultLimit === undefined || defaultRequest === undefined || overcommits(name)) continue;
    if (compareQuantities(defaultLimit, defaultRequest) === 0) continue;
    const why = `default value ${defaultLimit} must equal to defaultRequest value ${defaultRequest} in ${name}`;
    causes.push(cause.invalid(`${path}.defaultRequest[${name}]`, defaultRequest, why));
  }
  return causes;
}

/** `maxLimitRequestRatio`: at least 1, and at most max/min. */
function ratioCauses(
  ratio: string | undefined,
  minimum: string | undefined,
  maximum: string | undefined,
  path: string,
): Cause[] {
  if (ratio === undefined) return [];
  const isBelowOne = compareQuantities(ratio, '1') < 0;
  const causes = isBelowOne ? [cause.invalid(path, ratio, `ratio ${ratio} is less than 1`)] : [];
  if (minimum === undefined || maximum === undefined) return causes;
  const maxRatio = ratioOf(maximum, minimum);
  if (ratioOf(ratio, '1') <= maxRatio) return causes;
  return [
    ...causes,
    cause.invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${maxRatio.toFixed(6)}`),
  ];
}
