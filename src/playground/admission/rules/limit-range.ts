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
    const named = (field: string) =>
      Object.keys(strings(limit[field])).flatMap((name) => {
        const check = type === 'Pod' || type === 'Container' ? containerResource : resourceNameCauses;
        return check(name, `${inner}.${field}[${name}]`);
      });
    causes.push(...named('max'), ...named('min'));
    if (type === 'Pod') {
      for (const field of ['default', 'defaultRequest']) {
        if (empty(limit[field])) continue;
        causes.push(cause.forbidden(`${inner}.${field}`, "may not be specified when `type` is 'Pod'"));
      }
    } else causes.push(...named('default'), ...named('defaultRequest'));
    if (
      type === 'PersistentVolumeClaim' &&
      at(limit, 'min', 'storage') === undefined &&
      at(limit, 'max', 'storage') === undefined
    ) {
      const why = 'either minimum or maximum storage value is required, but neither was provided';
      causes.push(cause.required(`${inner}.limits`, why));
    }
    return [...causes, ...named('maxLimitRequestRatio'), ...bounds(limit, inner, type === 'Pod')];
  });
};

/** The causes for which amounts of a limit contradict each other: min above max, a default outside both. */
function bounds(limit: Readonly<Record<string, unknown>>, path: string, ofPod: boolean): Cause[] {
  const of = (field: string) => (ofPod && field.startsWith('default') ? {} : strings(limit[field]));
  const [min, max, usual, request] = [of('min'), of('max'), of('default'), of('defaultRequest')];
  const ratios = of('maxLimitRequestRatio');
  const names = new Set([max, min, usual, request, ratios].flatMap((map) => Object.keys(map)));
  const causes: Cause[] = [];
  for (const name of names) {
    const check = (
      field: string,
      shown: string | undefined,
      low: string | undefined,
      high: string | undefined,
      words: readonly [string, string],
    ) => {
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return;
      const why = `${words[0]} ${low} is greater than ${words[1]} ${high}`;
      causes.push(cause.invalid(`${path}.${field}[${name}]`, shown, why));
    };
    const [least, most, normal, asked] = [min[name], max[name], usual[name], request[name]];
    check('min', least, least, most, ['min value', 'max value']);
    check('defaultRequest', asked, least, asked, ['min value', 'default request value']);
    check('defaultRequest', asked, asked, most, ['default request value', 'max value']);
    check('defaultRequest', asked, asked, normal, ['default request value', 'default limit value']);
    check('default', least, least, normal, ['min value', 'default value']);
    check('default', most, normal, most, ['default value', 'max value']);
    causes.push(...ratioCauses(ratios[name], least, most, `${path}.maxLimitRequestRatio[${name}]`));
    if (normal === undefined || asked === undefined || overcommits(name)) continue;
    if (compareQuantities(normal, asked) === 0) continue;
    const why = `default value ${normal} must equal to defaultRequest value ${asked} in ${name}`;
    causes.push(cause.invalid(`${path}.defaultRequest[${name}]`, asked, why));
  }
  return causes;
}

/** `maxLimitRequestRatio`: at least 1, and at most max/min. */
function ratioCauses(
  ratio: string | undefined,
  least: string | undefined,
  most: string | undefined,
  path: string,
): Cause[] {
  if (ratio === undefined) return [];
  const low = compareQuantities(ratio, '1') < 0;
  const causes = low ? [cause.invalid(path, ratio, `ratio ${ratio} is less than 1`)] : [];
  if (least === undefined || most === undefined) return causes;
  const widest = ratioOf(most, least);
  if (ratioOf(ratio, '1') <= widest) return causes;
  return [
    ...causes,
    cause.invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${widest.toFixed(6)}`),
  ];
}
