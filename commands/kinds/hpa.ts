import { epochSeconds } from '../../src/kube/age.ts';
import {
  autoscalerConditions,
  type HorizontalPodAutoscaler,
  metricTexts,
  missingMetrics,
} from '../../src/kube/autoscaling.ts';
import { lastScaling } from '../../src/kube/last-change.ts';
import { condition } from '../../src/kube/workload-status.ts';
import type { Attention } from '../../src/registry/kinds/attention.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { areLowered, boundsAction } from './parts/bounds-action.ts';
import { objectCell } from '../../src/registry/kinds/object-cell.ts';

const boundsOf = ({ spec }: HorizontalPodAutoscaler) => {
  const { minReplicas = 1, maxReplicas = minReplicas } = spec ?? {};
  return { min: minReplicas, max: maxReplicas };
};
const targetOf = ({ spec }: HorizontalPodAutoscaler) => spec?.scaleTargetRef;
const makerOf = ({ metadata }: HorizontalPodAutoscaler) =>
  metadata?.ownerReferences?.find(({ kind }) => kind === 'ScaledObject')?.name ?? null;

/** Why an autoscaler cannot scale, by its conditions. */
function attention(object: HorizontalPodAutoscaler): Attention | undefined {
  const conditions = autoscalerConditions(object);
  const [able, active, limited] = ['AbleToScale', 'ScalingActive', 'ScalingLimited'].map((type) =>
    condition(conditions, type),
  );
  const missing = missingMetrics(object);
  const all = object.spec?.metrics?.length ?? missing.length;
  const isPartial = missing.length > 0 && missing.length < all;
  // The controller says so of all metrics as soon as the ones that it has would scale down.
  const isOfSome = isPartial && active?.reason?.startsWith('FailedGet') === true;
  const bad = [able, isOfSome ? undefined : active].find((one) => one?.status === 'False');
  if (bad !== undefined) {
    // Somebody scaled to zero by hand, which disables the autoscaler intentionally.
    if (bad.reason === 'ScalingDisabled') return undefined;
    const since = epochSeconds(bad.lastTransitionTime);
    const details = {
      ...(bad.message === undefined ? {} : { detail: bad.message }),
      ...(since === null ? {} : { since }),
    };
    const { kind = 'target', name = '' } = targetOf(object) ?? {};
    return bad === able
      ? {
          rule: 'hpa.unable',
          tone: 'bad',
          title: `It cannot scale ${kind} ${name}.`,
          ...details,
        }
      : {
          rule: 'hpa.no-metrics',
          tone: 'bad',
          title: /Metric/.test(bad.reason ?? '')
            ? 'It gets no metrics to scale by, so the number of pods stays as it is.'
            : 'It does not scale, so the number of pods stays as it is.',
          ...details,
        };
  }
  if (isOfSome || (active?.status === 'True' && missing.length > 0)) {
    return {
      rule: 'hpa.some-metrics',
      tone: 'warn',
      title: `${missing.length} of its ${all} metrics cannot be measured: ${missing.join(', ')}.`,
      extent: missing.length,
      detail: 'It scales by the others alone, and does not scale down meanwhile.',
    };
  }
  const { max } = boundsOf(object);
  if (limited?.status !== 'True' || limited.reason !== 'TooManyReplicas') return undefined;
  const since = epochSeconds(limited.lastTransitionTime);
  return {
    rule: 'hpa.at-most',
    tone: 'warn',
    title: `It wants more pods than its maximum, ${max}.`,
    action: 'hpa.bounds',
    ...(limited.message === undefined ? {} : { detail: limited.message }),
    ...(since === null ? {} : { since }),
  };
}

export const hpa = defineKind<HorizontalPodAutoscaler>({
  id: 'hpa',
  kind: 'HorizontalPodAutoscaler',
  abbreviation: 'HPA',
  group: 'autoscaling',
  version: 'v2',
  plural: 'horizontalpodautoscalers',
  scope: 'Namespaced',
  aliases: ['hpas', 'autoscalers', 'horizontalpodautoscalers'],
  title: 'HPAs',
  icon: 'hpa',
  permissions: { view: 'namespaces.view', manage: 'hpas.manage' },
  paths: {
    list: '/clusters/:clusterId/hpas',
    detail: ['/clusters/:clusterId/hpas/:namespaceName/:hpaName'],
  },
  sidebar: { section: 'Scalers', order: 10, keys: 'g h' },
  status: (object) => {
    const trouble = attention(object);
    if (trouble !== undefined) {
      const label = {
        'hpa.unable': 'Cannot scale',
        'hpa.no-metrics': 'No metrics',
        'hpa.at-most': 'At maximum',
        'hpa.some-metrics': 'Metrics missing',
      }[trouble.rule];
      return { tone: trouble.tone, label: label ?? 'Troubled' };
    }
    const conditions = autoscalerConditions(object);
    const active = condition(conditions, 'ScalingActive');
    if (active?.reason === 'ScalingDisabled') return { tone: 'idle', label: 'Off at 0' };
    return active?.status === 'True' ? { tone: 'ok', label: 'Active' } : { tone: 'info', label: 'Starting' };
  },
  attention,
  rules: ['hpa.unable', 'hpa.no-metrics', 'hpa.some-metrics', 'hpa.at-most'],
  changed: lastScaling,
  columns: [
    'namespace',
    'name',
    'status',
    {
      id: 'reference',
      label: 'Scales',
      format: 'object',
      links: { to: 'object' },
      dropAt: 3,
      value: (object) => {
        const { apiVersion, kind = '', name } = targetOf(object) ?? {};
        return name === undefined ? null : objectCell(apiVersion, kind, name);
      },
    },
    { id: 'targets', label: 'Metrics', format: 'list', dropAt: 4, value: metricTexts },
    { id: 'min', label: 'Min', format: 'number', dropAt: 2, value: (object) => boundsOf(object).min },
    { id: 'max', label: 'Max', format: 'number', dropAt: 2, value: (object) => boundsOf(object).max },
    {
      id: 'replicas',
      label: 'Replicas',
      format: 'number',
      dropAt: 1,
      value: ({ status }) => status?.currentReplicas ?? 0,
    },
    'labels',
    'age',
  ],
  facts: (object) => {
    const target = targetOf(object);
    return {
      ...boundsOf(object),
      madeBy: makerOf(object),
      targetGroup: target?.apiVersion === undefined ? null : (target.apiVersion.split('/').at(-2) ?? ''),
      targetKind: target?.kind ?? null,
      target: target?.name ?? null,
    };
  },
  refs: (object) => {
    const { apiVersion = 'apps/v1', kind, name } = targetOf(object) ?? {};
    const { namespace } = object.metadata ?? {};
    if (kind === undefined || name === undefined) return [];
    return [
      { relation: 'targets', apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name },
    ];
  },
  sections: [
    {
      title: 'Spec',
      fields: [
        {
          label: 'Scales',
          format: 'object',
          links: { to: 'object' },
          value: (object) => {
            const { apiVersion, kind = '', name } = targetOf(object) ?? {};
            return name === undefined ? null : objectCell(apiVersion, kind, name);
          },
        },
        { label: 'Metrics', format: 'mono', value: metricTexts },
        {
          label: 'Bounds',
          format: 'text',
          value: (object) => {
            const { min, max } = boundsOf(object);
            return `${min} to ${max}`;
          },
        },
        {
          label: 'Replicas',
          format: 'text',
          value: ({ status = {} }) =>
            // Without a metric the controller writes 0, which is not a desired count.
            status.desiredReplicas === undefined || status.desiredReplicas === 0
              ? `${status.currentReplicas ?? 0} now`
              : `${status.currentReplicas ?? 0} now, ${status.desiredReplicas} wanted`,
        },
        { label: 'Last scaled', format: 'age', value: ({ status }) => epochSeconds(status?.lastScaleTime) },
      ],
    },
    'conditions',
    'related',
    'metadata',
    'events',
    'yaml',
  ],
  endsBy: (before, after) => areLowered(boundsOf(before), boundsOf(after)),
  actions: [
    boundsAction({
      kindId: 'hpa',
      least: 1,
      fields: { min: 'minReplicas', max: 'maxReplicas' },
      enabled: ({ facts }) =>
        typeof facts['madeBy'] === 'string'
          ? `ScaledObject ${facts['madeBy']} sets these bounds. Change its bounds instead.`
          : true,
    }),
  ],
});
