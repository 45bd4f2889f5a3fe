import { z } from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { isPlain } from '../objects/read.ts';
import { viewPlace } from '../access/place.ts';
import { redactText } from '../kit/redact-text.ts';
import { isInSight, noneExcluded } from '../access/sight.ts';
import {
  declaredRef,
  existenceOf,
  kind,
  namespace,
  object,
  objectText,
  queryOf,
  readObject,
  refOf,
  textIn,
} from './named-object.ts';
import { objectTool } from './tool-of-object.ts';
import { redactObject, redactValue } from './redaction.ts';
import { fitItems, fitText, longRoom, tool } from './tool.ts';

export const list = tool({
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
    const { items: kept, note } = fitItems(rows);
    return {
      summary: `${kept.length} of ${rows.length}${next === undefined ? '' : ' and more'}.`,
      data: {
        objects: kept,
        note,
        unread:
          next === undefined
            ? undefined
            : `Only the first ${items.length} were searched${space === undefined ? ': name a namespace to see others' : ''}.`,
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
      evidence: kept.slice(0, 20).map((row) => existenceOf(refOf({ kind: declared.id, ...row }))),
    };
  },
});

/** Of a status what says most in little room. */
function statusIn(status: unknown): unknown {
  if (!isPlain(status)) return undefined;
  const wanted = ['phase', 'reason', 'replicas', 'readyReplicas', 'availableReplicas', 'active', 'failed'];
  return redactValue(Object.fromEntries(Object.entries(status).filter(([key]) => wanted.includes(key))));
}

export const get = objectTool({
  name: 'get',
  description: 'One object. Values of Secrets and of environment variables are left out.',
  about: (text) => text,
  async run(named, parts) {
    const declared = await parts.findKind(named.kind);
    const text = JSON.stringify(redactObject(declared, await readObject(named, parts), parts.withheld));
    return { summary: 'Read.', data: fitText(parts.people.masked(text), longRoom) };
  },
});

export const events = tool({
  name: 'events',
  description: 'The events about an object, the newest first.',
  input: object,
  about: (named) => `Events of ${objectText(named)}`,
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
    const { items: kept, note } = fitItems(about.sort((a, b) => (a.at < b.at ? 1 : -1)));
    return {
      summary: `${about.length} events${next === undefined ? '' : ', and there may be more'}.`,
      data: {
        events: kept,
        note,
        unread:
          next === undefined
            ? undefined
            : `There may be more: only ${items.length} events of all objects were searched.`,
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

export const related = objectTool({
  name: 'related',
  description: 'What an object belongs to and refers to: owners, configuration, claims, targets.',
  about: (text) => `What ${text} depends on`,
  async run(named, parts) {
    const declared = await parts.findKind(named.kind);
    const body = await readObject(named, parts);
    const owners = body.metadata?.['ownerReferences'];
    // oxlint-disable-next-line no-unnecessary-type-assertion -- what a cluster answers need not name its version: the compiler asks for it
    const refs = declared.refs?.(body as KubeObject) ?? [];
    const { items, note } = fitItems([
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
    return { summary: `${items.length} relations.`, data: { relations: items, note } };
  },
});
