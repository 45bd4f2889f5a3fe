import { type Cause, cause } from '../status.ts';
import { at, type Rec, rec, recs, str } from '../values.ts';
import { labelProblem } from './names.ts';

type Rule = (value: Rec, path: string) => Cause[];

const core = 'io.k8s.api.core.v1.';
const notNegative = 'must be greater than or equal to 0';

/** Counts that may not be negative, wherever these schemas stand. */
const counts =
  (...fields: string[]): Rule =>
  (value, path) =>
    fields.flatMap((field) => {
      const given = value[field];
      return typeof given === 'number' && given < 0
        ? [cause.invalid(`${path}.${field}`, given, notNegative)]
        : [];
    });

const port = (path: string, value: unknown): Cause[] =>
  typeof value === 'number' && (value < 1 || value > 65535)
    ? [cause.invalid(path, value, 'must be between 1 and 65535, inclusive')]
    : [];

const schedule: Rule = (value, path) => {
  const text = str(value['schedule']);
  const field = `${path}.schedule`;
  if (text === '') return [cause.required(field)];
  if (/^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(text)) return [];
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) {
    const message = `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
    return [cause.invalid(field, text, message)];
  }
  return [];
};

/** Rules of the API server's validation that hold wherever a schema is used. */
export const fieldRules: Readonly<Record<string, Rule>> = {
  [`${core}PodSpec`]: (value, path) =>
    recs(value['containers']).length === 0 ? [cause.required(`${path}.containers`)] : [],
  [`${core}Container`]: (value, path) => {
    const causes: Cause[] = [];
    const name = str(value['name']);
    if (name === '') causes.push(cause.required(`${path}.name`));
    else {
      const problem = labelProblem(name);
      if (problem !== undefined) causes.push(cause.invalid(`${path}.name`, name, problem));
    }
    const template = path.includes('.template.');
    if (!template && str(value['image']) === '') causes.push(cause.required(`${path}.image`));
    if (template && str(value['image']) === '') causes.push(cause.required(`${path}.image`));
    return causes;
  },
  [`${core}ContainerPort`]: (value, path) =>
    value['containerPort'] === undefined || value['containerPort'] === 0
      ? [cause.required(`${path}.containerPort`)]
      : port(`${path}.containerPort`, value['containerPort']),
  [`${core}EnvVar`]: (value, path) => (str(value['name']) === '' ? [cause.required(`${path}.name`)] : []),
  [`${core}ServicePort`]: (value, path) => port(`${path}.port`, value['port']),
  'io.k8s.api.apps.v1.DeploymentSpec': counts('replicas', 'minReadySeconds', 'revisionHistoryLimit'),
  'io.k8s.api.apps.v1.ReplicaSetSpec': counts('replicas', 'minReadySeconds'),
  'io.k8s.api.apps.v1.StatefulSetSpec': counts('replicas', 'minReadySeconds'),
  'io.k8s.api.autoscaling.v1.ScaleSpec': counts('replicas'),
  'io.k8s.api.batch.v1.JobSpec': counts('parallelism', 'completions', 'backoffLimit'),
  'io.k8s.api.batch.v1.CronJobSpec': schedule,
  'io.k8s.api.networking.v1.HTTPIngressPath': (value, path) =>
    value['pathType'] === undefined ? [cause.required(`${path}.pathType`, 'pathType must be specified')] : [],
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec': (value, path) => {
    const least = Number(value['minReplicas'] ?? 1);
    const most = Number(value['maxReplicas'] ?? 0);
    if (most < 1) return [cause.invalid(`${path}.maxReplicas`, most, 'must be greater than 0')];
    return most < least
      ? [cause.invalid(`${path}.maxReplicas`, most, 'must be greater than or equal to `minReplicas`')]
      : [];
  },
  [`${core}PersistentVolumeClaimSpec`]: (value, path) => {
    const causes: Cause[] = [];
    if (!Array.isArray(value['accessModes']) || value['accessModes'].length === 0) {
      causes.push(cause.required(`${path}.accessModes`, 'at least 1 access mode is required'));
    }
    if (rec(at(value, 'resources', 'requests'))['storage'] === undefined) {
      causes.push(cause.required(`${path}.resources[storage]`));
    }
    return causes;
  },
};
