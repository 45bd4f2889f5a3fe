import { z } from 'zod';
import { isPlain } from '../objects/read.ts';
import { viewPlace } from '../access/place.ts';
import { redactEnd, redactText } from '../kit/redact-text.ts';
import { isInSight, noneExcluded } from '../access/sight.ts';
import { changes } from './changes-tool.ts';
import { helm, rollout } from './history-tools.ts';
import {
  called,
  declaredRef,
  kind,
  name,
  namespace,
  type NamedObject,
  object,
  queryOf,
  readObject,
  refOf,
  textIn,
  there,
} from './named-object.ts';
import { redactObject, redactValue } from './redaction.ts';
import { objectsOfFinding } from './sight.ts';
import { fitting, fittingEnd, fittingText, longRoom, tool, type Tool } from './tool.ts';

const findingsInput = z.object({ kind: kind.optional(), namespace, name: name.optional() });

/** The object that findings are asked of; undefined for a namespace or the cluster, also where half of it is given. */
const namedBy = ({
  kind: id,
  name: own,
  ...rest
}: z.output<typeof findingsInput>): NamedObject | undefined =>
  id === undefined || own === undefined ? undefined : { kind: id, name: own, ...rest };

const findings = tool({
  name: 'findings',
  description:
    'What the rules of the console find wrong, with the cause and evidence: of one object, of a namespace, or of the cluster. Ask this first.',
  input: findingsInput,
  about(asked) {
    const named = namedBy(asked);
    return `Findings of ${named === undefined ? asked.namespace || 'the cluster' : called(named)}`;
  },
  names(asked) {
    const named = namedBy(asked);
    if (named !== undefined) return [refOf(named)];
    const { namespace: space } = queryOf(asked);
    // What the rules find nowhere tells of every namespace.
    return [space === undefined ? { kind: 'namespace', need: 'asker' } : { kind: 'namespace', name: space }];
  },
  async run(asked, { calls, clusterId }) {
    const named = namedBy(asked);
    const query = queryOf(asked);
    const found =
      named === undefined
        ? await calls.read('diagnoseCluster', { params: { clusterId }, query })
        : await calls.read('diagnoseObject', {
            params: { clusterId, kind: named.kind, name: named.name },
            query,
          });
    const { items, note } = fitting(
      found.findings.map(({ rule, tone, object: at, sentence }) => ({ rule, tone, object: at, sentence })),
    );
    return {
      summary: found.gone === undefined ? `${found.findings.length} findings.` : 'It is not there.',
      data: {
        gone: found.gone?.sentence,
        findings: items,
        notes: found.notes,
        withheld: found.withheld,
        note,
      },
      objects: found.findings.flatMap(objectsOfFinding),
      evidence: [
        ...(found.gone?.evidence ?? []),
        ...found.findings.slice(0, items.length).flatMap(({ evidence }) => evidence),
      ],
    };
  },
});

const list = tool({
  name: 'list',
  description: 'The objects of a kind with their labels and status, filtered by a part of the name.',
  input: z.object({ kind, namespace, filter: z.string().max(100).optional() }),
  about: ({ kind: id, namespace: space }) => `List of ${id}${space === undefined ? '' : ` in ${space}`}`,
  names: ({ kind: id, namespace: space }) => (space === undefined ? [] : [{ kind: id, namespace: space }]),
  async run({ kind: id, namespace: space, filter = '' }, parts) {
    const { calls, clusterId } = parts;
    const declared = await parts.findKind(id);
    const { items, continue: next } = await calls.read('objects', {
      params: { clusterId, kind: id },
      query: queryOf({ namespace: space }),
    });
    const reach = await parts.reach();
    let excluded = 0;
    const rows = items.flatMap((one) => {
      const { name: own = '', namespace: at, labels } = one.metadata ?? {};
      const where = { name: own, namespace: typeof at === 'string' ? at : '' };
      // Namespaces that the person leaves out of their views are left out here as well, unless one is named.
      if (!own.includes(filter)) return [];
      if (space === undefined && !isInSight(reach, declared, where)) {
        if (isInSight({ ...reach, excluded: noneExcluded }, declared, where)) excluded += 1;
        return [];
      }
      const row = { name: own, ...(where.namespace === '' ? {} : { namespace: where.namespace }) };
      return [{ ...row, labels: redactValue(labels), status: statusIn(one['status']) }];
    });
    const { items: kept, note } = fitting(rows);
    return {
      summary: `${kept.length} of ${rows.length}${next === undefined ? '' : ' and more'}.`,
      data: {
        objects: kept,
        note,
        unread:
          next === undefined
            ? undefined
            : `Only the first ${items.length} were looked through: name a namespace to see others.`,
        excluded:
          excluded === 0
            ? undefined
            : `${excluded} more in namespaces that the person excludes from views. Name a namespace to see those in it.`,
      },
      // That there are none tells of the place as well: of the whole cluster only to who may view it there.
      objects: [
        ...(space !== undefined || reach.held.may(declared.permissions.view, viewPlace(declared, {}))
          ? [{ kind: declared.id, ...queryOf({ namespace: space }) }]
          : []),
        ...kept.map((row) => refOf({ kind: declared.id, ...row })),
      ],
      evidence: kept.slice(0, 20).map((row) => there(refOf({ kind: declared.id, ...row }))),
    };
  },
});

/** Of a status what says most in little room. */
function statusIn(status: unknown): unknown {
  if (!isPlain(status)) return undefined;
  const wanted = ['phase', 'reason', 'replicas', 'readyReplicas', 'availableReplicas', 'active', 'failed'];
  return redactValue(Object.fromEntries(Object.entries(status).filter(([key]) => wanted.includes(key))));
}

const get = tool({
  name: 'get',
  description: 'One object. Values of Secrets and of environment variables are left out.',
  input: object,
  about: called,
  names: (named) => [refOf(named)],
  async run(named, parts) {
    const declared = await parts.findKind(named.kind);
    const text = JSON.stringify(redactObject(declared, await readObject(named, parts)));
    const ref = await declaredRef(parts, named);
    return {
      summary: 'Read.',
      data: fittingText(parts.people.masked(text), longRoom),
      objects: [ref],
      evidence: [there(ref)],
    };
  },
});

const events = tool({
  name: 'events',
  description: 'The events about an object, the newest first.',
  input: object,
  about: (named) => `Events of ${called(named)}`,
  names: (named) => [refOf(named), { kind: 'event', ...queryOf(named) }],
  async run(named, parts) {
    const { calls, clusterId } = parts;
    const declared = await parts.findKind(named.kind);
    const { items, continue: next } = await calls.read('objects', {
      params: { clusterId, kind: 'event' },
      query: queryOf(named),
    });
    const ref = await declaredRef(parts, named);
    const about = items.flatMap((one) => {
      const on = one['involvedObject'];
      if (!isPlain(on) || on['name'] !== named.name || on['kind'] !== declared.kind) return [];
      if (textIn(on['namespace']) !== (named.namespace ?? '')) return [];
      const at = textIn(one['lastTimestamp']) || textIn(one['eventTime']);
      return [
        {
          at,
          type: textIn(one['type']),
          reason: textIn(one['reason']),
          message: redactText(textIn(one['message'])),
          count: typeof one['count'] === 'number' ? one['count'] : 1,
        },
      ];
    });
    const { items: kept, note } = fitting(about.sort((a, b) => (a.at < b.at ? 1 : -1)));
    return {
      summary: `${about.length} events${next === undefined ? '' : ', and there may be more'}.`,
      data: {
        events: kept,
        note,
        unread:
          next === undefined
            ? undefined
            : `There may be more: only ${items.length} events of all objects were looked through.`,
      },
      objects: [ref, { kind: 'event', ...queryOf(named) }],
      evidence: kept.slice(0, 10).map(({ at, reason, message, count }) => ({
        type: 'event' as const,
        ref,
        reason,
        message,
        at: at === '' ? null : Date.parse(at) / 1000,
        count,
      })),
    };
  },
});

const logs = tool({
  name: 'logs',
  description: 'The last lines of a container’s log, of its present or previous run, filtered by a text.',
  input: z.object({
    namespace: z.string().min(1).max(253),
    container: z.string().max(253).optional(),
    pod: name,
    previous: z.boolean().optional(),
    grep: z.string().max(200).optional(),
    lines: z.int().min(1).max(500).optional(),
  }),
  about: ({ namespace: space, pod }) => `Log of ${space}/${pod}`,
  names: ({ namespace: space, pod }) => [{ kind: 'pod', namespace: space, name: pod }],
  async run({ namespace: space, pod, container, previous = false, grep, lines = 100 }, parts) {
    const text = await parts.readLog({ namespace: space, pod, container, previous, lines });
    // Redacted as a whole first: a line alone, or the end of one, does not show that it is part of a secret.
    // People are masked before: the end may begin in an address.
    const all = redactEnd(parts.people.masked(text))
      .split('\n')
      .filter((line) => line !== '' && (grep === undefined || line.includes(grep)));
    const ref = { kind: 'pod', namespace: space, name: pod };
    return {
      summary: `${all.length} lines.`,
      // The end of a log says most: what does not fit is its beginning.
      data: fittingEnd(all.slice(-lines), longRoom),
      objects: [ref],
      evidence:
        container === undefined
          ? [there(ref)]
          : [{ type: 'log', ref, container, previous, at: null } as const],
    };
  },
});

const related = tool({
  name: 'related',
  description: 'What an object belongs to and refers to: owners, configuration, claims, targets.',
  input: object,
  about: (named) => `What ${called(named)} depends on`,
  names: (named) => [refOf(named)],
  async run(named, parts) {
    const declared = await parts.findKind(named.kind);
    const body = await readObject(named, parts);
    const owners = body.metadata?.['ownerReferences'];
    const refs = declared.refs?.(body as Parameters<NonNullable<typeof declared.refs>>[0]) ?? [];
    const { items, note } = fitting([
      ...(Array.isArray(owners) ? owners.filter(isPlain) : []).map((owner) => ({
        relation: 'owner',
        kind: textIn(owner['kind']),
        name: textIn(owner['name']),
      })),
      ...refs.map(({ relation, kind: of, namespace: at, name: own }) => ({
        relation,
        kind: of,
        name: own,
        ...(at === undefined ? {} : { namespace: at }),
      })),
    ]);
    const ref = await declaredRef(parts, named);
    return {
      summary: `${items.length} relations.`,
      data: { relations: items, note },
      objects: [ref],
      evidence: [there(ref)],
    };
  },
});

/** Samples of an hour's usage that a model is told. */
const sampleLimit = 20;

const usage = tool({
  name: 'usage',
  description: 'What a pod, a node, or the pods of a workload used of processor and memory in the last hour.',
  input: object,
  about: (named) => `Usage of ${called(named)}`,
  names: (named) => [refOf(named)],
  async run(named, parts) {
    const { calls, clusterId } = parts;
    const history = await calls.read('objectUsageHistory', {
      params: { clusterId, kind: named.kind },
      query: { namespace: named.namespace ?? '', name: named.name, seconds: '3600' },
    });
    const ref = await declaredRef(parts, named);
    const { status, message, cpu, memory, times } = history;
    const last = <T>(values: readonly T[]) => values.slice(-sampleLimit);
    return {
      summary: message ?? (status === 'answered' ? 'Measured.' : 'Nothing is measured.'),
      data: {
        status,
        message,
        times: last(times),
        cores: last(cpu),
        bytes: last(memory),
        note: times.length > sampleLimit ? `The last ${sampleLimit} of ${times.length} samples.` : undefined,
      },
      objects: [ref],
      evidence: [there(ref)],
    };
  },
});

const whyNot = tool({
  name: 'why_not',
  description: 'Which actions the person may do on an object now, and what keeps others from being done.',
  input: object,
  about: (named) => `Actions on ${called(named)}`,
  names: (named) => [refOf(named)],
  async run(named, parts) {
    const ref = await declaredRef(parts, named);
    const { actions, refused } = await parts.calls.read('availableActions', {
      params: { clusterId: parts.clusterId },
      body: { refs: [ref] },
    });
    return {
      summary: `${actions.filter(({ enabled }) => enabled === true).length} actions can be done.`,
      data: { actions, lacksThePermissionFor: refused },
      objects: [ref],
      evidence: [there(ref)],
    };
  },
});

const propose = tool({
  name: 'propose',
  description:
    'Proposes an action to the person, who may run it. It changes nothing. Take the id of an action from why_not.',
  input: z.object({
    action: z.string().min(1).max(100),
    objects: z.array(object).min(1).max(20),
    args: z.record(z.string().max(100), z.unknown()).optional(),
  }),
  about: ({ action }) => `Proposal of ${action}`,
  names: ({ objects }) => objects.map(refOf),
  async run({ action, objects, args = {} }, parts) {
    const refs = await Promise.all(objects.map((one) => declaredRef(parts, one)));
    const { outcomes } = await parts.propose({ action, refs, args });
    return {
      summary: 'Proposed; nothing was changed.',
      data: { note: 'It was shown to the person. Nothing was changed.', outcomes: redactValue(outcomes) },
      objects: refs,
      evidence: [],
    };
  },
});

/** Everything that a model can ask for. */
export const tools: readonly Tool[] = [
  findings,
  list,
  get,
  events,
  logs,
  related,
  usage,
  changes,
  rollout,
  helm,
  whyNot,
  propose,
];
