import {
  backendTexts,
  gatewayGroup,
  type GatewayReference,
  isSameParent,
  matchText,
  referenceText,
  type Route,
} from '../../../src/kube/gateway.ts';
import type { Condition, KubeObject } from '../../../src/kube/object.ts';
import type { Attention } from '../../../src/registry/kinds/attention.ts';
import { statusRuleOf } from '../../../src/registry/custom-status/families.ts';
import { attentionOf, statusOf } from '../../../src/registry/custom-status/health.ts';
import { customJudge } from '../../../src/registry/custom-status/judge.ts';
import type { Column, KindStatus, RelatedObject, Section } from '../../../src/registry/kinds/kind.ts';
import type { Tone } from '../../../src/registry/tone.ts';

/** How the Gateway API is called where a cluster lacks it. */
export const gatewayAddOn = 'the Gateway API';

/** Status and attention of a kind of the Gateway API by its conditions, as for custom objects. */
export function gatewayHealth(
  kindId: string,
  kind: string,
  trouble: string,
): {
  readonly status: (object: KubeObject) => KindStatus;
  readonly attention: (object: KubeObject) => Attention | undefined;
  readonly rules: readonly string[];
} {
  const judge = customJudge(statusRuleOf(gatewayGroup, kind));
  const rule = `${kindId}.not-accepted`;
  return {
    status: (object) => statusOf(judge(object)),
    attention: (object) =>
      attentionOf(judge(object), rule, (label) => `${trouble} Its controller reports “${label}”.`),
    rules: [rule],
  };
}

const namespaceOf = ({ metadata }: KubeObject) => metadata?.namespace ?? '';

/**
 * Another object as a reference of this console.
 * @param usual what a missing group and kind stand for
 */
function related(
  relation: RelatedObject['relation'],
  object: KubeObject,
  { group, kind, namespace, name }: GatewayReference,
  usual: { readonly group: string; readonly kind: string; readonly version: string },
): readonly RelatedObject[] {
  if (name === undefined) return [];
  const place = group ?? usual.group;
  return [
    {
      relation,
      apiVersion: place === '' ? 'v1' : `${place}/${usual.version}`,
      kind: kind ?? usual.kind,
      namespace: namespace ?? namespaceOf(object),
      name,
    },
  ];
}

const gatewayUsual = { group: gatewayGroup, kind: 'Gateway', version: 'v1' };
const serviceUsual = { group: '', kind: 'Service', version: 'v1' };
const secretUsual = { group: '', kind: 'Secret', version: 'v1' };

function distinct(refs: readonly RelatedObject[]): readonly RelatedObject[] {
  const keyOf = ({ apiVersion, kind, namespace, name }: RelatedObject) =>
    [apiVersion, kind, namespace, name].join(' ');
  return [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
}

/** The gateways and services of a route of any kind. */
export function routeRefs(object: Route): readonly RelatedObject[] {
  const { parentRefs = [], rules = [] } = object.spec ?? {};
  return distinct([
    ...parentRefs.flatMap((one) => related('uses', object, one, gatewayUsual)),
    ...rules.flatMap(({ backendRefs = [], filters = [] }) => [
      ...backendRefs.flatMap((one) => related('targets', object, one, serviceUsual)),
      ...filters.flatMap(({ requestMirror }) =>
        requestMirror?.backendRef === undefined
          ? []
          : related('targets', object, requestMirror.backendRef, serviceUsual),
      ),
    ]),
  ]);
}

/** The certificates of a gateway's listeners. */
export const certificateRefs = (
  object: KubeObject,
  references: readonly GatewayReference[],
): readonly RelatedObject[] =>
  distinct(references.flatMap((one) => related('uses', object, one, secretUsual)));

/** Columns of an HTTPRoute and a GRPCRoute. */
export const routeColumns: readonly Column<Route>[] = [
  {
    id: 'hostnames',
    label: 'Hostnames',
    format: 'list',
    dropAt: 2,
    value: ({ spec }) => spec?.hostnames ?? ['every host'],
  },
  {
    id: 'parents',
    label: 'Gateways',
    format: 'list',
    links: { to: 'reference', kind: 'gateway' },
    dropAt: 3,
    value: ({ spec }) => (spec?.parentRefs ?? []).map((one) => referenceText(one, 'Gateway')),
  },
  {
    id: 'backends',
    label: 'Backends',
    format: 'list',
    links: { to: 'reference', kind: 'service' },
    dropAt: 4,
    value: ({ spec }) => [
      ...new Set(
        (spec?.rules ?? []).flatMap(({ backendRefs = [] }) =>
          backendRefs.map((one) => referenceText(one, 'Service')),
        ),
      ),
    ],
  },
];

/** A condition in a cell: why it is false, or what it says where it is true. */
export function conditionCell(
  conditions: readonly Condition[] | undefined,
  type: string,
  trueLabel = type,
): readonly [label: string, tone: Tone] {
  const found = conditions?.find((one) => one.type === type);
  if (found === undefined || found.status === 'Unknown') return ['Waiting', 'info'];
  return found.status === 'True' ? [trueLabel, 'ok'] : [found.reason ?? `Not ${type}`, 'bad'];
}

const parentStatus = (object: Route, parent: GatewayReference) =>
  object.status?.parents?.find(
    ({ parentRef }) => parentRef !== undefined && isSameParent(parentRef, parent, namespaceOf(object)),
  );

/** What a route answers to, where it is attached, and where requests go. */
export const routeSections: readonly Section<Route>[] = [
  {
    title: 'Spec',
    fields: [{ label: 'Hostnames', format: 'mono', value: ({ spec }) => spec?.hostnames ?? ['every host'] }],
  },
  {
    title: 'Gateways',
    columns: [
      { label: 'Gateway', format: 'mono', links: { to: 'reference', kind: 'gateway' } },
      { label: 'Accepted', format: 'status' },
      { label: 'Backends', format: 'status' },
    ],
    rows: (object) =>
      (object.spec?.parentRefs ?? []).map((parent) => {
        const conditions = parentStatus(object, parent)?.conditions;
        return [
          referenceText(parent, 'Gateway'),
          conditionCell(conditions, 'Accepted'),
          conditionCell(conditions, 'ResolvedRefs', 'Found'),
        ];
      }),
    empty: () => 'It names no gateway, so nothing reaches it.',
  },
  {
    title: 'Rules',
    columns: [
      { label: 'Requests', format: 'mono' },
      { label: 'Changed by', format: 'list' },
      { label: 'Go to', format: 'mono', links: { to: 'reference', kind: 'service' } },
    ],
    rows: ({ spec }) =>
      (spec?.rules ?? []).map((rule) => [
        (rule.matches ?? [{}]).map(matchText),
        (rule.filters ?? []).map(({ type = '' }) => type),
        backendTexts(rule),
      ]),
    empty: () => 'It has no rules.',
  },
  'conditions',
  'related',
  'metadata',
  'events',
  'yaml',
];
