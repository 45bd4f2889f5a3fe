import { goDifference } from './go-diff.ts';
import { goPodSpec } from './go-pod.ts';
import { qosClass } from './qos.ts';
import { type Cause, cause } from '../kit/status.ts';
import { at, type Obj, type Rec, rec, recs, same, str, strings } from '../kit/values.ts';

const fixedMessage =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const kinds = ['containers', 'initContainers'] as const;

function images(spec: Rec, field: string): Cause[] {
  return recs(spec[field]).flatMap((container, index) => {
    const image = str(container['image']);
    return image === image.trim()
      ? []
      : [
          cause.invalid(
            `spec.${field}[${index}].image`,
            image,
            'must not have leading or trailing whitespace',
          ),
        ];
  });
}

/** `activeDeadlineSeconds` may be set once and then only be shortened. Undefined when the change is allowed. */
function deadline(now: unknown, then: unknown): Cause | undefined {
  const path = 'spec.activeDeadlineSeconds';
  if (typeof now !== 'number') {
    return typeof then === 'number'
      ? cause.invalid(path, null, 'must not update from a positive integer to nil value')
      : undefined;
  }
  if (now < 0 || now > 2147483647)
    return cause.invalid(path, now, 'must be between 0 and 2147483647, inclusive');
  return typeof then === 'number' && then < now
    ? cause.invalid(path, now, 'must be less than or equal to previous value')
    : undefined;
}

function tolerations(now: Rec, then: Rec): Cause[] {
  const bare = ({ tolerationSeconds: _seconds, ...rest }: Rec) => rest;
  const given = recs(now['tolerations']).map(bare);
  const keepsOld = recs(then['tolerations']).every((old) => given.some((one) => same(one, bare(old))));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return keepsOld ? [] : [cause.forbidden('spec.tolerations', why)];
}

function gates(now: Rec, then: Rec): Cause[] {
  const oldNames = recs(then['schedulingGates']).map((gate) => gate['name']);
  return recs(now['schedulingGates']).flatMap((gate, index) =>
    oldNames.includes(gate['name'])
      ? []
      : [
          cause.forbidden(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${str(gate['name'])}'`,
          ),
        ],
  );
}

/** The fields of a pod's spec that no update may change. */
function fixed(spec: Rec): Rec {
  const {
    activeDeadlineSeconds: _deadline,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...rest
  } = spec;
  const plain = (field: string) => recs(spec[field]).map(({ image: _image, ...container }) => container);
  return { ...rest, containers: plain('containers'), initContainers: plain('initContainers') };
}

/**
 * The difference of two pod specs as Go types, after the mutable fields of the new one are reset to the stored
 * ones.
 */
function difference(then: Rec, now: Rec): string {
  const plain = (field: string) =>
    recs(now[field]).map((container, index) => ({
      ...container,
      image: recs(then[field])[index]?.['image'],
    }));
  const storedFields = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'].map((field) => [
    field,
    then[field],
  ]);
  const containers = kinds.filter((field) => now[field] !== undefined).map((field) => [field, plain(field)]);
  const munged = { ...now, ...Object.fromEntries(storedFields), ...Object.fromEntries(containers) } as Rec;
  return goDifference(goPodSpec(then), goPodSpec(munged));
}

function mainCauses(now: Rec, then: Rec): Cause[] {
  const causes: Cause[] = [];
  for (const field of kinds) {
    if (recs(now[field]).length !== recs(then[field]).length) {
      return [...causes, cause.forbidden(`spec.${field}`, 'pod updates may not add or remove containers')];
    }
    causes.push(...images(now, field));
  }
  const deadlineCause = deadline(now['activeDeadlineSeconds'], then['activeDeadlineSeconds']);
  if (deadlineCause !== undefined) causes.push(deadlineCause);
  causes.push(...tolerations(now, then), ...gates(now, then));
  if (!same(fixed(now), fixed(then))) {
    causes.push(cause.forbidden('spec', `${fixedMessage}\n${difference(then, now)}`));
  }
  return causes;
}

function debugCauses(now: Rec, then: Rec): Cause[] {
  const path = 'spec.ephemeralContainers';
  const given = recs(now['ephemeralContainers']);
  return recs(then['ephemeralContainers']).flatMap((old) => {
    const name = JSON.stringify(old['name']);
    const found = given.find((one) => one['name'] === old['name']);
    if (found === undefined) {
      return [cause.forbidden(path, `existing ephemeral containers ${name} may not be removed\n`)];
    }
    return same(found, old)
      ? []
      : [cause.forbidden(path, `existing ephemeral containers ${name} may not be changed\n`)];
  });
}

const resizable = new Set(['cpu', 'memory']);

function resizeCauses(now: Rec, then: Rec): Cause[] {
  const causes: Cause[] = [];
  if (qosClass(now) !== qosClass(then)) {
    causes.push(cause.invalid('spec', qosClass(now), 'Pod QOS Class may not change as a result of resizing'));
  }
  for (const field of kinds) {
    const [given, stored] = [recs(now[field]), recs(then[field])];
    if (given.length !== stored.length) {
      return [...causes, cause.forbidden(`spec.${field}`, `${field} may not be added or removed on resize`)];
    }
    for (const [index, old] of stored.entries()) {
      if (given[index]?.['name'] === old['name']) continue;
      const why = `${field} may not be renamed or reordered on resize`;
      return [...causes, cause.forbidden(`spec.${field}[${index}].name`, why)];
    }
  }
  for (const [index, old] of recs(then['containers']).entries()) {
    const container = recs(now['containers'])[index];
    for (const part of ['requests', 'limits'] as const) {
      const newAmounts = strings(at(container, 'resources', part));
      const oldAmounts = strings(at(old, 'resources', part));
      if (Object.keys(oldAmounts).some((name) => newAmounts[name] === undefined)) {
        causes.push(
          cause.forbidden(
            `spec.containers[${index}].resources.${part}`,
            `resource ${part} cannot be removed`,
          ),
        );
      }
    }
  }
  const rest = (spec: Rec) => ({
    ...spec,
    containers: recs(spec['containers']).map((container) => {
      const { resizePolicy: _policy, ...others } = container;
      const part = (name: string) =>
        Object.entries(strings(at(container, 'resources', name))).filter(
          ([resource]) => !resizable.has(resource),
        );
      return { ...others, resources: [part('requests'), part('limits')] };
    }),
  });
  if (causes.length === 0 && !same(rest(now), rest(then))) {
    causes.push(cause.forbidden('spec', 'only cpu and memory resources are mutable'));
  }
  return causes;
}

/** The causes for which an update of a pod, or of one of its subresources, is refused. */
export function podUpdateCauses(object: Obj, before: Obj, subresource: string): Cause[] {
  const [now, then] = [rec(object['spec']), rec(before['spec'])];
  if (subresource === 'ephemeralcontainers') return debugCauses(now, then);
  if (subresource === 'resize') return resizeCauses(now, then);
  return mainCauses(now, then);
}
