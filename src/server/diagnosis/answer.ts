import type { Creation, Diagnosis, Evidence, Finding } from '../../contract/diagnosis.ts';
import type { Ref } from '../../contract/objects.ts';
import type { KubeObject } from '../../kube/object.ts';
import { plainMessage } from '../../kube/escape-sequences.ts';
import { cleanText, cutText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { counted } from '../../registry/counted.ts';
import { type NamedObject, refKey } from '../../registry/kinds/refs.ts';
import { mayCreate, mayEdit } from '../access/creation.ts';
import type { Reach } from '../access/grants.ts';
import { changePlace } from '../access/place.ts';
import { needOf } from '../actions/available.ts';
import { readReference } from '../live/graph/reference.ts';
import { citedAs, citedBy, sees } from './cited-sight.ts';
import type { Cause } from './diagnose.ts';
import type { ReadingWorld } from './reading-world.ts';
import type { Proof } from './rule.ts';
import { manifestOf } from '../objects/wanted.ts';
import { nextStepOf } from './next-steps/next-steps.ts';
import { nameOf, type World } from './world.ts';

/** Findings of one answer, and characters of one text in it. */
const findingLimit = 50;
const textLimit = 600;

/** What the person may know of causes. @param asked the namespace that they asked about: it is not left out */
export function diagnosisOf(
  causes: readonly Cause[],
  world: ReadingWorld,
  reach: Reach,
  asked: string | undefined,
  notes: readonly string[] = [],
): Diagnosis {
  const seen = causes.filter((cause) => citedBy(cause).every((named) => sees(reach, named, asked)));
  // That something does not exist is not told by a count to who may not see whether it does.
  const isTold = (cause: Cause) =>
    cause.evidence.every((proof) => proof.type !== 'object' || proof.exists || sees(reach, proof.of, asked));
  const withheld = causes.filter(isTold).length - seen.length;
  const shown = seen.slice(0, findingLimit);
  return {
    findings: shown.map((cause) => findingOf(cause, world, reach, asked)),
    withheld,
    notes: [
      ...notes,
      ...world.notes,
      ...(seen.length > shown.length ? [`${seen.length - shown.length} more findings are not listed.`] : []),
      ...(withheld === 0
        ? []
        : [
            `${withheld === 1 ? 'A finding is' : `${withheld} findings are`} withheld: ${withheld === 1 ? 'it cites' : 'they cite'} objects that you may not view, or that you exclude from your views.`,
          ]),
    ],
    examined: examinedText(world.objects, reach, asked),
  };
}

/** Kinds that are counted by another word than their own. */
const countedWords: Readonly<Record<string, string>> = {
  Deployment: 'workload',
  StatefulSet: 'workload',
  DaemonSet: 'workload',
  Job: 'job',
  CronJob: 'job',
  Pod: 'pod',
  PersistentVolumeClaim: 'claim',
  Service: 'service',
  Ingress: 'ingress',
  Node: 'node',
};

/**
 * Objects that were examined, by kinds, those alone that the person sees.
 * @param namespace of which the objects are counted; the whole cluster without one
 */
function examinedText(objects: readonly KubeObject[], reach: Reach, namespace: string | undefined): string {
  const counts = new Map<string, number>();
  for (const object of objects) {
    const { kind = '', metadata } = object;
    const word = countedWords[kind];
    const isHere = namespace === undefined || kind === 'Node' || metadata?.namespace === namespace;
    if (word !== undefined && isHere && sees(reach, nameOf(object), namespace))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...new Set(Object.values(countedWords))].flatMap((word) => {
    const count = counts.get(word);
    return count === undefined ? [] : [counted(count, word)];
  });
  const place = namespace === undefined ? '' : ` of namespace ${namespace}`;
  return parts.length === 0 ? 'only this object' : `${parts.join(', ')}${place}`;
}

/** What the person may know of an object that is not there: that it is not, and what still tells of it. */
export function diagnosisOfAbsent(
  {
    kind,
    ref,
    traces,
  }: { readonly kind: AnyKind; readonly ref: Omit<Ref, 'kind'>; readonly traces: readonly Proof[] },
  world: ReadingWorld,
  reach: Reach,
): Diagnosis {
  const { namespace } = ref;
  const seen = traces.filter((proof) => citedAs(proof).every((one) => sees(reach, one, namespace)));
  const called = namespace === undefined ? ref.name : `${namespace}/${ref.name}`;
  const self: Evidence = { type: 'object', ref: { kind: kind.id, ...ref }, exists: false };
  return {
    findings: [],
    withheld: 0,
    notes: [...world.notes],
    gone: {
      sentence: cut(`${kind.kind} ${called} does not exist: it was deleted, or never existed.`),
      evidence: [self, ...seen.map((proof) => evidenceOf(proof, world))],
    },
  };
}

const refOf = (named: NamedObject, world: World): Ref => ({
  kind: world.kindOf(named)?.id ?? readReference(refKey(named))?.kind ?? named.kind,
  ...(named.namespace === undefined ? {} : { namespace: named.namespace }),
  name: named.name,
});

const cut = (text: string): string => cutText(plainMessage(cleanText(text)), textLimit);

function evidenceOf({ of, ...proof }: Proof, world: World): Evidence {
  const ref = refOf(of, world);
  switch (proof.type) {
    case 'field':
      return { ...proof, ref, value: proof.value === null ? null : cut(proof.value) };
    case 'event':
      return { ...proof, ref, reason: cut(proof.reason), message: cut(proof.message) };
    case 'log':
      return { ...proof, ref, ...(proof.line === undefined ? {} : { line: cut(proof.line) }) };
    case 'object':
      return { ...proof, ref };
    default:
      return proof satisfies never;
  }
}

/** Objects that one finding offers to open. */
const openLimit = 2;

/**
 * The objects that somebody opens next to help: the one at fault, and what the evidence cites and is there, such as the
 * service that refuses, the quota without room or the node. Not those on the way.
 */
export function opensOf({
  evidence,
  path,
  object,
}: Pick<Cause, 'evidence' | 'path' | 'object'>): NamedObject[] {
  // The object that somebody asked about is open already.
  const known = new Set((path.length > 1 ? path.slice(0, -1) : [...path, object]).map(refKey));
  const gone = new Set(
    evidence.flatMap((proof) => (proof.type === 'object' && !proof.exists ? [refKey(proof.of)] : [])),
  );
  const cited = new Map([object, ...evidence.map(({ of }) => of)].map((of) => [refKey(of), of]));
  return [...cited]
    .filter(([key]) => !known.has(key) && !gone.has(key))
    .map(([, named]) => named)
    .slice(0, openLimit);
}

const uniqueNames = (all: readonly NamedObject[]): readonly NamedObject[] => [
  ...new Map(all.map((one) => [refKey(one), one])).values(),
];

function findingOf(cause: Cause, world: ReadingWorld, reach: Reach, asked: string | undefined): Finding {
  const { rule, tone, object, sentence, detail, evidence, path, objects, actions, wanted } = cause;
  const edits = cause.edits.filter((of) => {
    const kind = world.kindOf(of);
    return kind !== undefined && mayEdit(reach, kind, of);
  });
  const edited = new Set(edits.map(refKey));
  // The object that somebody asked about is open already.
  const root = path[0] === undefined ? undefined : refKey(path[0]);
  const named = [...cause.edits, ...cause.opens].filter(
    (one) => refKey(one) !== root && sees(reach, one, asked),
  );
  const opens = uniqueNames([...named, ...opensOf(cause)])
    .filter((one) => !edited.has(refKey(one)))
    .slice(0, openLimit)
    .map((one) => refOf(one, world));
  const next = nextStepOf(rule);
  const creates = wanted.flatMap((one): Creation[] => {
    const kind = world.kindOf(one.of);
    if (kind === undefined || !mayCreate(reach, kind, one.of)) return [];
    const manifest = manifestOf(one);
    return manifest === undefined ? [] : [{ ref: refOf(one.of, world), manifest }];
  });
  return {
    rule,
    tone,
    object: refOf(object, world),
    kindName: object.kind,
    sentence: cut(sentence),
    ...(detail === undefined ? {} : { detail: cut(detail) }),
    ...(next === undefined ? {} : { next }),
    evidence: evidence.map((proof) => evidenceOf(proof, world)),
    path: path.map((named) => refOf(named, world)),
    count: objects.size,
    actions: actions.flatMap(({ id, on }) => {
      const kind = world.kindOf(on);
      const action = kind?.actions.find((one) => one.id === id);
      if (kind === undefined || action === undefined) return [];
      return reach.held.may(needOf(action, kind), changePlace(kind, on))
        ? [{ id, refs: [refOf(on, world)] }]
        : [];
    }),
    ...(opens.length === 0 ? {} : { opens }),
    ...(edits.length === 0 ? {} : { edits: edits.map((one) => refOf(one, world)) }),
    ...(creates.length === 0 ? {} : { creates }),
  };
}
