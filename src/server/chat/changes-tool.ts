import { z } from 'zod';
import type { AuditEntry } from '../../contract/audit.ts';
import { outcomeOf } from '../../contract/audit.ts';
import type { Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { ObjectMeta } from '../../kube/object.ts';
import { isPlain } from '../objects/read.ts';
import {
  objectText,
  declaredRef,
  object,
  queryOf,
  readObject,
  refOf,
  textIn,
  existenceOf,
} from './named-object.ts';
import { redactText } from '../kit/redact-text.ts';
import { redactValue } from './redaction.ts';
import type { ToldObject } from './sight.ts';
import { fitItems, tool, type ToolParts } from './tool.ts';

/** Something that is known to have changed. */
export interface KnownChange {
  /** ISO. */
  readonly at: string;
  readonly from: 'audit' | 'rollout' | 'helm' | 'managed fields' | 'object';
  readonly [more: string]: unknown;
}

/** Readers of changes. */
export type ChangeParts = Pick<ToolParts, 'calls' | 'clusterId' | 'findKind' | 'readManagedFields'> & {
  readonly people: Pick<ToolParts['people'], 'of'>;
};

/** What one source says: its changes, the objects besides that they tell of, and what it cannot say. */
interface Source {
  readonly changes: readonly KnownChange[];
  readonly objects?: readonly ToldObject[];
  readonly gap?: string;
}

/** Top fields of one write that are told. */
const fieldLimit = 12;

/** Undefined where the call is refused, or there is nothing. */
async function unlessRefused<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
}

/** Whether an entry of the audit is about this very object: names of several stand behind one another. */
const isAbout = ({ subject }: AuditEntry, { kind, namespace, name }: Ref): boolean => {
  const listed = (key: string) => String(subject[key] ?? '').split(', ');
  const own = namespace === undefined ? name : `${namespace}/${name}`;
  const isNamed =
    listed('names').includes(own) ||
    (listed('name').includes(name) && String(subject['namespace'] ?? '') === (namespace ?? ''));
  return isNamed && listed('kind').includes(kind);
};

/** What people did by this console, for those alone who may read its audit. */
async function fromAudit({ calls, clusterId, people }: ChangeParts, ref: Ref): Promise<Source> {
  const page = await unlessRefused(calls.read('audit', { query: { object: ref.name, clusterId } }));
  if (page === undefined)
    return {
      changes: [],
      gap: 'Only Owners can read the audit, which records what people did in this console.',
    };
  const about = page.entries.filter((entry) => isAbout(entry, ref) && entry.subject['dryRun'] !== true);
  return {
    changes: about.map(({ startedAt, actor, action, changes, status }) => ({
      at: startedAt,
      from: 'audit',
      who: people.of(actor),
      action,
      outcome: outcomeOf(status),
      ...(changes === null ? {} : { changes: redactValue(changes) }),
    })),
    // Whoever is no Owner reads none of it in a conversation either.
    objects: about.length === 0 ? [] : [{ kind: ref.kind, need: 'owner' }],
    ...(page.next === null ? {} : { gap: 'Only the newest audit entries with this name were searched.' }),
  };
}

async function fromRollouts({ calls, clusterId }: ChangeParts, ref: Ref): Promise<Source> {
  const params = { clusterId, kind: ref.kind, name: ref.name };
  const answer = await unlessRefused(calls.read('revisions', { params, query: queryOf(ref) }));
  return {
    changes: (answer?.revisions ?? []).map(({ revision, isCurrent, createdAt, images, cause }) => ({
      at: createdAt ?? '',
      from: 'rollout',
      revision,
      isCurrent,
      images: redactValue(images),
      cause: cause === null ? null : redactText(cause),
    })),
  };
}

/** The release that an object belongs to, by what Helm writes on it. */
function releaseOf({ annotations }: Pick<ObjectMeta, 'annotations'>) {
  const name = annotations?.['meta.helm.sh/release-name'];
  const namespace = annotations?.['meta.helm.sh/release-namespace'];
  return name === undefined || namespace === undefined ? undefined : { namespace, name };
}

async function fromHelm(
  { calls, clusterId, findKind }: ChangeParts,
  ref: Ref,
  metadata: ObjectMeta,
): Promise<Source> {
  const { source } = await findKind(ref.kind);
  const release =
    source === 'helm' ? { namespace: ref.namespace ?? '', name: ref.name } : releaseOf(metadata);
  if (release === undefined) return { changes: [] };
  const answer = await unlessRefused(calls.read('releaseHistory', { params: { clusterId, ...release } }));
  if (answer === undefined) return { changes: [], gap: 'The history of its Helm release could not be read.' };
  return {
    changes: answer.revisions.map(({ updated, revision, status, chart, chartVersion, description }) => ({
      at: updated ?? '',
      from: 'helm',
      revision,
      status,
      chart: `${chart} ${chartVersion}`,
      description: redactText(description),
    })),
    objects: [{ kind: 'release', ...release }],
  };
}

/** Who wrote last, and when: of each manager its last write alone, by names of fields without values. */
function fromManagedFields({ managedFields }: ObjectMeta): Source {
  const entries: readonly unknown[] = Array.isArray(managedFields) ? managedFields : [];
  const changes = entries.flatMap((entry): KnownChange[] => {
    if (!isPlain(entry) || typeof entry['time'] !== 'string') return [];
    const { time, manager, operation, subresource, fieldsV1 } = entry;
    const fields = isPlain(fieldsV1)
      ? Object.entries(fieldsV1).flatMap(([part, inner]) =>
          isPlain(inner) ? Object.keys(inner).map((key) => `${part}.${key}`.replaceAll('f:', '')) : [part],
        )
      : [];
    return [
      {
        at: time,
        from: 'managed fields',
        manager: redactText(textIn(manager)),
        operation: textIn(operation),
        ...(textIn(subresource) === '' ? {} : { subresource: textIn(subresource) }),
        fields: fields.slice(0, fieldLimit).map(redactText),
      },
    ];
  });
  return { changes };
}

/** The known changes of an object since a time, the newest first. @param since epoch seconds; all without */
export async function knownChanges(
  ref: Ref,
  since: number | undefined,
  parts: ChangeParts,
): Promise<{
  readonly changes: readonly KnownChange[];
  readonly objects: readonly ToldObject[];
  /** Limits of the sources, whole sentences. */
  readonly gaps: readonly string[];
}> {
  const body = await readObject({ ...ref }, parts);
  const metadata = { ...body.metadata, managedFields: await parts.readManagedFields(ref) } as ObjectMeta;
  const sources = [
    ...(await Promise.all([fromAudit(parts, ref), fromRollouts(parts, ref), fromHelm(parts, ref, metadata)])),
    fromManagedFields(metadata),
  ];
  const { creationTimestamp, deletionTimestamp } = metadata;
  const own = [
    ...(typeof creationTimestamp === 'string' ? [{ at: creationTimestamp, what: 'created' }] : []),
    ...(typeof deletionTimestamp === 'string' ? [{ at: deletionTimestamp, what: 'deletion asked for' }] : []),
  ].map((one): KnownChange => ({ ...one, from: 'object' }));
  return {
    changes: [...sources.flatMap(({ changes: found }) => found), ...own]
      .filter(({ at }) => since === undefined || !(Date.parse(at) / 1000 < since))
      .toSorted((a, b) => (Date.parse(b.at) || 0) - (Date.parse(a.at) || 0)),
    objects: [ref, ...sources.flatMap(({ objects = [] }) => objects)],
    gaps: [
      'Nothing records every change: of each manager, the program that wrote, only the last write is known, without the values before it and without the person.',
      ...sources.flatMap(({ gap }) => gap ?? []),
    ],
  };
}

/** The changes of an object from every source that has some, the newest first. */
export const changes = tool({
  name: 'changes',
  description:
    'What is known of changes to an object, the newest first: from the audit of the console, its rollouts, its Helm release, and who wrote which fields last. It says what it cannot know.',
  input: object.extend({
    since: z.string().max(40).optional().describe('Only changes from this time on, ISO'),
  }),
  about: (named) => `Changes of ${objectText(named)}`,
  names: (named) => [refOf(named)],
  async run({ since, ...named }, parts) {
    const ref = await declaredRef(parts, named);
    const from = Date.parse(since ?? '') / 1000;
    const found = await knownChanges(ref, Number.isNaN(from) ? undefined : from, parts);
    const { items, note } = fitItems(found.changes, 6_000);
    return {
      summary: `${found.changes.length} changes are known; others may have happened.`,
      data: { changes: items, note, cannotKnow: found.gaps },
      objects: found.objects,
      evidence: [existenceOf(ref)],
    };
  },
});
