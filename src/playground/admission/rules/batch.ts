import { matchesSelector } from '../../../kube/selector.ts';
import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Obj, rec, strings } from '../../kit/values.ts';
import { labelProblem } from '../../kit/names.ts';
import {
  completionMode,
  failedIndexes,
  failurePolicy,
  manager,
  replacementPolicy,
  successPolicy,
} from './job-policy.ts';
import { type Check, inside, notNegative, oneOf, type RuleSet } from './rule.ts';
import { scheduleProblem } from './schedule.ts';

const batch = 'io.k8s.api.batch.v1.';

/** The pod template of a job: its restart policy lets pods end. */
const runsToCompletion: Check = (owner, specPath) => {
  const value = at(owner, 'template');
  const path = `${specPath}.template`;
  const policy = at(value, 'spec', 'restartPolicy');
  const field = `${path}.spec.restartPolicy`;
  if (policy === 'Always') return [cause.required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') {
    return [cause.notSupported(field, policy, ['OnFailure', 'Never'])];
  }
  return at(owner, 'podFailurePolicy') !== undefined && policy !== 'Never'
    ? [cause.invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
};

/** The labels that the server generates for a job's pods. */
const marks = ({ metadata: { uid = '', name = '' } }: Obj): Readonly<Record<string, string>> => ({
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': name,
  'controller-uid': uid,
  'job-name': name,
});

/** Checks that the labels and the selector are the generated ones, unless `manualSelector` is set. */
function generated(job: Obj): Cause[] {
  const spec = rec(job['spec']);
  if (spec['manualSelector'] === true) return [];
  const wanted = marks(job);
  const labels = rec(at(spec, 'template', 'metadata', 'labels'));
  const causes = ['controller-uid', 'job-name'].flatMap((mark) =>
    [mark, `batch.kubernetes.io/${mark}`].flatMap((key): Cause[] => {
      const field = `spec.template.metadata.labels[${key}]`;
      const why = `must be '${wanted[key] ?? ''}'`;
      return labels[key] === wanted[key] ? [] : [cause.invalid(field, labels, why)];
    }),
  );
  const selector = rec(spec['selector']);
  return matchesSelector(selector, wanted)
    ? causes
    : [...causes, cause.invalid('spec.selector', selector, '`selector` not auto-generated')];
}

/** A job's selector is required and matches its template; in a cron job's template it is absent. */
const jobSelector: Check = (value, path, owner, { root }) => {
  if (root.kind !== 'Job') {
    return value === undefined ? [] : [cause.invalid(path, value, '`selector` will be auto-generated')];
  }
  const labels = at(owner, 'template', 'metadata', 'labels');
  const fits = isRec(value) && matchesSelector(value, strings(labels));
  const field = `${path.slice(0, path.lastIndexOf('.'))}.template.metadata.labels`;
  return [
    ...(value === undefined ? [cause.required(path)] : []),
    ...(fits ? [] : [cause.invalid(field, labels ?? null, '`selector` does not match template `labels`')]),
  ];
};

const schedule: Check = (value, path, owner) => {
  if (typeof value !== 'string' || value === '') return [cause.required(path)];
  const problem = scheduleProblem(value);
  if (value.includes('TZ')) {
    const why =
      owner['timeZone'] === undefined
        ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
        : 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    return [cause.invalid(path, value, why)];
  }
  return problem === undefined ? [] : [cause.invalid(path, value, problem)];
};

const zones = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
const timeZone: Check = (value, path) => {
  if (typeof value !== 'string') return [];
  if (value === '') return [cause.invalid(path, value, 'timeZone must be nil or non-empty string')];
  if (value.toLowerCase() === 'local') return [cause.invalid(path, value, zones)];
  try {
    Intl.DateTimeFormat('en', { timeZone: value });
    return [];
  } catch {
    return [cause.invalid(path, value, `unknown time zone ${value}`)];
  }
};

/** Rules of jobs and cron jobs. */
export const batchRules: RuleSet = {
  [`${batch}JobSpec`]: {
    parallelism: notNegative,
    completions: notNegative,
    activeDeadlineSeconds: notNegative,
    backoffLimit: notNegative,
    ttlSecondsAfterFinished: notNegative,
    backoffLimitPerIndex: notNegative,
    maxFailedIndexes: failedIndexes,
    managedBy: manager,
    completionMode,
    podFailurePolicy: failurePolicy,
    successPolicy,
    podReplacementPolicy: replacementPolicy,
    template: inside,
    '*template': runsToCompletion,
    manualSelector: inside,
    selector: jobSelector,
    '*name': (value, _path, _owner, { root, before }) => {
      const [mode, count] = [at(value, 'completionMode'), Number(at(value, 'completions') ?? 0)];
      const { name = '' } = root.metadata;
      const last = `${name}-${count - 1}`;
      if (before !== undefined || root.kind !== 'Job' || mode !== 'Indexed' || count <= 0) return [];
      const why = `will not able to create pod with invalid DNS label: ${last}`;
      return labelProblem(last) === undefined ? [] : [cause.invalid('metadata.name', name, why)];
    },
  },
  [`${batch}Job`]: {
    '*': (_value, _path, _owner, { root, before }) => (before === undefined ? generated(root) : []),
    spec: inside,
  },
  [`${batch}CronJobSpec`]: {
    schedule,
    startingDeadlineSeconds: notNegative,
    timeZone,
    concurrencyPolicy: oneOf(['Allow', 'Forbid', 'Replace'], true),
    jobTemplate: inside,
    successfulJobsHistoryLimit: notNegative,
    failedJobsHistoryLimit: notNegative,
  },
  [`${batch}CronJob`]: {
    spec: inside,
    '*name': (_value, _path, _owner, { root, before }) => {
      const { name = '' } = root.metadata;
      return before === undefined && name.length > 52
        ? [cause.invalid('metadata.name', name, 'must be no more than 52 characters')]
        : [];
    },
  },
  [`${batch}JobTemplateSpec`]: {
    spec: (value, path) =>
      isRec(value) && value['manualSelector'] === true
        ? [cause.notSupported(`${path}.manualSelector`, true, ['nil', 'false'])]
        : [],
  },
};
