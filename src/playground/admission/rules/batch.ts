import { cause } from '../../status.ts';
import { at, isRec } from '../../values.ts';
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

/** A template of pods that end. */
const ending: Check = (value, path, owner) => {
  const policy = at(value, 'spec', 'restartPolicy');
  const field = `${path}.spec.restartPolicy`;
  if (policy === 'Always') return [cause.required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') {
    return [cause.notSupported(field, policy, ['OnFailure', 'Never'])];
  }
  return owner['podFailurePolicy'] !== undefined && policy !== 'Never'
    ? [cause.invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
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

/** Rules of the kinds that run pods to an end. */
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
    manualSelector: (value, path, owner, { root, before }) => {
      const { selector } = owner;
      if (root.kind !== 'Job' || value === true || before !== undefined || selector === undefined) return [];
      const own = root.metadata.uid ?? '';
      const uid = at(selector, 'matchLabels', 'batch.kubernetes.io/controller-uid');
      return uid === own
        ? []
        : [
            cause.invalid(
              path.replace(/manualSelector$/, 'selector'),
              selector,
              '`selector` not auto-generated',
            ),
          ];
    },
    template: ending,
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
    metadata: (value, path) => {
      const name = at(value, 'name');
      return typeof name === 'string' && name.length > 52
        ? [cause.invalid(`${path}.name`, name, 'must be no more than 52 characters')]
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
