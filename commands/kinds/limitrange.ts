import type { LimitRange } from '../../src/kube/quota.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';

interface LimitLine {
  readonly type: string;
  readonly resource: string;
  readonly least: string | null;
  readonly most: string | null;
  readonly request: string | null;
  readonly limit: string | null;
  readonly ratio: string | null;
}

/** One line for each type of object and resource. */
function linesOf({ spec }: LimitRange): LimitLine[] {
  return (spec?.limits ?? []).flatMap((one) => {
    const parts = [one.min, one.max, one.default, one.defaultRequest, one.maxLimitRequestRatio];
    const resources = [...new Set(parts.flatMap((part) => Object.keys(part ?? {})))].sort();
    return resources.map((resource) => ({
      type: one.type ?? '',
      resource,
      least: one.min?.[resource] ?? null,
      most: one.max?.[resource] ?? null,
      request: one.defaultRequest?.[resource] ?? null,
      limit: one.default?.[resource] ?? null,
      ratio: one.maxLimitRequestRatio?.[resource] ?? null,
    }));
  });
}

function lineText({ type, resource, least, most, request, limit }: LimitLine): string {
  const parts = [
    least === null && most === null ? undefined : `${least ?? '0'} to ${most ?? 'any'}`,
    request === null && limit === null ? undefined : `default ${request ?? '–'}/${limit ?? '–'}`,
  ].filter((part) => part !== undefined);
  return `${type} ${resource} ${parts.join(', ')}`;
}

export const limitrange = defineKind<LimitRange>({
  id: 'limitrange',
  kind: 'LimitRange',
  group: '',
  version: 'v1',
  plural: 'limitranges',
  scope: 'Namespaced',
  aliases: ['limits', 'limitranges'],
  title: 'LimitRanges',
  icon: 'limits',
  permissions: { view: 'namespaces.view', manage: 'owner' },
  sidebar: { section: 'More', order: 150 },
  columns: [
    'namespace',
    'name',
    {
      id: 'limits',
      label: 'Limits',
      format: 'list',
      dropAt: 2,
      value: (object) => linesOf(object).map(lineText),
    },
    'labels',
    'age',
  ],
  graph: 'none',
  sections: [
    {
      title: 'Limits',
      columns: [
        { label: 'Of each', format: 'text' },
        { label: 'Resource', format: 'mono' },
        { label: 'Least', format: 'text' },
        { label: 'Most', format: 'text' },
        { label: 'Default request', format: 'text' },
        { label: 'Default limit', format: 'text' },
        { label: 'Limit per request', format: 'text' },
      ],
      rows: (object) =>
        linesOf(object).map(({ type, resource, least, most, request, limit, ratio }) => [
          type,
          resource,
          least,
          most,
          request,
          limit,
          ratio,
        ]),
      empty: () => 'It limits nothing.',
    },
    'metadata',
    'events',
    'yaml',
  ],
});
