import type { PrometheusSource } from '../../contract/metrics-source.ts';
import { escapeRe2 } from '../../kube/pod-names.ts';
import type { Namespaces } from '../access/held.ts';

/** What usage is asked of. */
export type Selection =
  | {
      readonly of: 'pods';
      /** The namespaces that whoever asks may look at. */
      readonly namespaces: Namespaces;
      /** Namespaces that are left out of them. */
      readonly excluded: ReadonlySet<string>;
      /** One pod by its name, or those whose names fit a regular expression; all without it. */
      readonly pods?: { readonly name: string } | { readonly pattern: string };
    }
  | { readonly of: 'node'; readonly name: string }
  | { readonly of: 'nodes' };

/** Processor in cores, memory in bytes: an expression for each, of one series at most. */
export interface UsageQueries {
  readonly cpu: string;
  readonly memory: string;
}

const cpuMetric = 'container_cpu_usage_seconds_total';
const memoryMetric = 'container_memory_working_set_bytes';

/** Longest expression that is sent: it stands in an address, and many servers take no longer one. Characters. */
const queryLimit = 6_000;
/** Least time over which a rate is taken, s: four samples at the usual one a minute. */
const rateLeast = 300;

/** A value of a label, quoted as PromQL does. */
const quoted = (value: string) =>
  `"${value.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`).replaceAll('\n', String.raw`\n`)}"`;

const anyOf = (values: Iterable<string>) => quoted([...values].sort().map(escapeRe2).join('|'));

type Label = PrometheusSource['label'];

/** The matcher that keeps series of other clusters apart. */
const labelMatcher = (label: Label) => (label === null ? [] : [`${label.name}=${quoted(label.value)}`]);

/**
 * The matchers of the containers of a selection.
 *
 * cAdvisor measures every cgroup: beside each container there is its pod, which is their sum and has `container=""`, and,
 * with some runtimes, the pause container `POD`. Whoever adds up all of them counts everything twice.
 */
function containerMatchers(selection: Extract<Selection, { of: 'pods' }>, label: Label): string {
  const { namespaces, excluded, pods } = selection;
  return [
    'container!=""',
    'container!="POD"',
    ...(namespaces === 'all'
      ? [excluded.size === 0 ? 'namespace!=""' : `namespace!~${anyOf(excluded)}`]
      : [`namespace=~${anyOf([...namespaces].filter((one) => !excluded.has(one)))}`]),
    ...(pods === undefined
      ? []
      : ['name' in pods ? `pod=${quoted(pods.name)}` : `pod=~${quoted(pods.pattern)}`]),
    ...labelMatcher(label),
  ].join(',');
}

/** The matchers of the series of a whole node: cAdvisor's root cgroup, so that no exporter is needed. */
const nodeMatchers = (label: Label, ...more: readonly string[]) =>
  ['id="/"', ...more, ...labelMatcher(label)].join(',');

/** The labels by which common configurations name the node of a series, each with the matcher for one. */
const nodeNames = (name: string): readonly string[] => [
  `node=${quoted(name)}`,
  `kubernetes_io_hostname=${quoted(name)}`,
  `instance=~${quoted(`${escapeRe2(name)}(:[0-9]+)?`)}`,
];

/**
 * The expressions for a selection; undefined where it is too long, or where nothing is left to look at.
 * @param step distance of the points, s: processor time is averaged over it, so that nothing between two points is missed
 */
export function usageQueries(selection: Selection, label: Label, step: number): UsageQueries | undefined {
  if (selection.of === 'pods' && selection.namespaces !== 'all') {
    const left = [...selection.namespaces].some((one) => !selection.excluded.has(one));
    if (!left) return undefined;
  }
  const window = `[${Math.max(rateLeast, step)}s]`;
  const queries = {
    cpu: expression(selection, label, (matchers) => `rate(${cpuMetric}{${matchers}}${window})`),
    memory: expression(selection, label, (matchers) => `${memoryMetric}{${matchers}}`),
  };
  return queries.cpu.length > queryLimit ? undefined : queries;
}

/**
 * One series of what is selected. The innermost `max` counts each thing once: a container that was restarted has two
 * series for some minutes, nested cgroups repeat it, and two Prometheuses that scrape the same node have everything
 * twice.
 */
function expression(selection: Selection, label: Label, of: (matchers: string) => string): string {
  if (selection.of === 'pods')
    return `sum(max by (namespace,pod,container) (${of(containerMatchers(selection, label))}))`;
  if (selection.of === 'nodes') return `sum(max by (instance) (${of(nodeMatchers(label))}))`;
  const alternatives = nodeNames(selection.name).map((matcher) => of(nodeMatchers(label, matcher)));
  return `max(${alternatives.join(' or ')})`;
}

/** Expressions that count the series that usage is read from. */
export function countQueries(label: Label): Readonly<Record<'cpu' | 'memory' | 'nodes', string>> {
  const all = containerMatchers({ of: 'pods', namespaces: 'all', excluded: new Set() }, label);
  return {
    cpu: `count(${cpuMetric}{${all}})`,
    memory: `count(${memoryMetric}{${all}})`,
    nodes: `count(${memoryMetric}{${nodeMatchers(label)}})`,
  };
}

/** The metrics that usage is read from, for sentences. */
export const metricNames = { cpu: cpuMetric, memory: memoryMetric } as const;
