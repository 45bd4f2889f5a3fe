import { kindById } from '../../../../commands/kinds/index.ts';
import type { Ref } from '../../../contract/objects.ts';
import { epochSeconds } from '../../../kube/age.ts';
import type { Pod } from '../../../kube/core.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { isNamespaceKind } from '../../access/place.ts';
import type { ToldObject } from '../sight.ts';
import { counted } from '../../../registry/counted.ts';
import type { AnswerParts } from './answer-parts.ts';
import {
  type AskedQuestion,
  allNamespaces,
  exists,
  isPodKind,
  type ListedObject,
  listed,
  namespaceOf,
  placeObjects,
  placeText,
  readList,
  readSubject,
  type RuleAnswer,
  subjectsOf,
  timeText,
} from './asking.ts';
import { calledOf, isNamespace, titleOf } from './question-names.ts';

/** Objects of a list that are named, and kinds of one question, at most. */
const namedLimit = 20;
const kindLimit = 4;

/** The objects of a list that a question asks for. */
export interface StatusFilter {
  /** Within a sentence, behind the number: `not ready`. */
  readonly text: string;
  readonly isMet: (row: Pick<ListedObject, 'status' | 'object'>) => boolean;
}

const troubleWords =
  /\b(?:broken|failing|failed|unhealthy|bad|wrong|down|crash\w*|error\w*|problems?|trouble|unready|restarting|defekt|kaputt|fehlerhaft|degraded|dying|dead)\b/;
const negation = /\b(?:not|nicht|arent|isnt|without)\b|\bkeine?\b/;
const healthWords =
  /\b(?:healthy|ready|running|fine|ok|okay|up|available|gesund|laufen|laufende|bereit|available)\b/;
const waitWords = /\b(?:pending|waiting|starting|stuck|wartet|warten|unschedulable)\b/;

/** The statuses that a question asks for; undefined where it asks for all objects. */
export function statusFilterOf(
  text: string,
  { statuses = [] }: Pick<AnyKind, 'statuses'>,
): StatusFilter | undefined {
  const isNot = negation.test(text);
  const isMeant = ({ label, keywords = [] }: (typeof statuses)[number]) =>
    [label.toLowerCase(), ...keywords].some((word) => new RegExp(`\\b${word}\\b`).test(text));
  if (!isNot) {
    const labels = statuses.filter(isMeant).map(({ label }) => label);
    if (labels.length > 0)
      return {
        text: `with the status ${labels.join(' or ')}`,
        isMet: ({ status }) => status !== undefined && labels.includes(status.label),
      };
  }
  const isBad = ({ status }: Pick<ListedObject, 'status'>) =>
    status?.tone === 'bad' || status?.tone === 'warn';
  if (troubleWords.test(text) || (isNot && healthWords.test(text)))
    return { text: 'with problems', isMet: isBad };
  if (healthWords.test(text)) return { text: 'without problems', isMet: (row) => !isBad(row) };
  if (waitWords.test(text))
    return { text: 'waiting', isMet: ({ status }) => status?.tone === 'info' || status?.tone === 'warn' };
  return undefined;
}

/** The latest end of a run of a container that was started again, epoch seconds; undefined without one. */
function lastRestartOf({ status }: Pod): number | undefined {
  const ends = (status?.containerStatuses ?? []).flatMap(({ restartCount = 0, lastState }) =>
    restartCount === 0 ? [] : (epochSeconds(lastState?.terminated?.finishedAt) ?? []),
  );
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** The pods that were restarted, where a question asks for them. */
function restartFilterOf({ text, since }: AskedQuestion['parsed'], kind: AnyKind): StatusFilter | undefined {
  if (!isPodKind(kind.id) || !/\b(?:restarted|restarts?|neugestartet)\b/.test(text)) return undefined;
  return {
    text: since === undefined ? 'with a restart' : `restarted since ${timeText(since)}`,
    isMet: ({ object }) => {
      const at = lastRestartOf(object);
      return at !== undefined && at >= (since ?? 0);
    },
  };
}

/** The selector of the pods of an object, as calls take it; undefined where it selects none by labels. */
export function podSelectorOf(kind: AnyKind, object: KubeObject): string | undefined {
  const selection = kind.pods?.(object);
  if (selection === undefined || 'nodeName' in selection) return undefined;
  return formatSelector(selection) || undefined;
}

/** The objects that a question restricts a list to: those on a node, or the pods of an object. */
async function listFor(asked: AskedQuestion, kindId: string, namespace: string | undefined) {
  const [owner] = subjectsOf(asked);
  if (owner === undefined || !isPodKind(kindId) || isPodKind(owner.kind))
    return { ...(await readList(asked, kindId, namespace)), of: undefined };
  const kind = await asked.parts.findKind(owner.kind);
  const selection = kind.pods?.(await readSubject(asked, owner));
  if (selection !== undefined && 'nodeName' in selection) {
    const { rows, ...rest } = await readList(asked, kindId, namespace);
    const { nodeName } = selection;
    const own = rows.filter(({ object }) => (object as Pod).spec?.nodeName === nodeName);
    return { ...rest, rows: own, of: `on ${owner.name}` };
  }
  const selector = selection === undefined ? '' : formatSelector(selection);
  return selector === ''
    ? { ...(await readList(asked, kindId, owner.namespace)), of: undefined }
    : { ...(await readList(asked, kindId, owner.namespace, selector)), of: `of ${titleOf(owner)}` };
}

/** The number of objects of some kinds, by status. */
export function count(asked: AskedQuestion): RuleAnswer {
  return listing(asked, ({ kind, rows, place, isWhole, filter }, answer, objects) => {
    const found = filter === undefined ? rows : rows.filter(filter.isMet);
    const noun = found.length === 1 ? kind.kind : kind.title;
    const labels = Map.groupBy(found, ({ status }) => status?.label ?? '');
    const parts = [...labels]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([label, of]) => `${of.length.toLocaleString('en')} ${label}`);
    const isSplit = filter === undefined && !labels.has('') && found.length > 0;
    answer.say(
      `${isWhole ? '' : 'At least '}${found.length.toLocaleString('en')} ${noun}${filter === undefined ? '' : ` ${filter.text}`} ${place}${isSplit ? `: ${parts.join(', ')}` : ''}.`,
      { objects },
    );
  });
}

/** Words for how full a volume is. */
const fillWords = /\b(?:full|filled|free space|voll)\b/;

/** That nobody knows how full volumes are: a list of them would be no answer. */
const unknownFill = (): RuleAnswer => ({
  about: 'How full volumes are',
  read: (answer) => {
    answer.note(
      'It is not known how full volumes are: only the kubelets measure it, and the API of a cluster does not have it. Ask what is wrong with a pod: one that found no space left says so in its log.',
    );
    return Promise.resolve({ summary: 'Not known.' });
  },
});

/** The objects of some kinds, or the place of an object. */
export function list(asked: AskedQuestion): RuleAnswer {
  const [subject] = subjectsOf(asked);
  const { kinds: askedKinds, text } = asked.parsed;
  const asksForNode = askedKinds.length > 0 && askedKinds.every((id) => kindById(id)?.kind === 'Node');
  // `which node runs web` asks where that is.
  const isPlaceAsked =
    askedKinds.length === 0 || (asksForNode && kindById(subject?.kind ?? '')?.kind !== 'Node');
  if (isPlaceAsked && subject !== undefined) return where(asked, subject);
  if (fillWords.test(text) && askedKinds.some((id) => id.startsWith('persistentvolume')))
    return unknownFill();
  return listing(asked, ({ kind, rows, place, isWhole, filter }, answer, objects) => {
    const found = filter === undefined ? rows : rows.filter(filter.isMet);
    const noun = found.length === 1 ? kind.kind : kind.title;
    const what = `${noun}${filter === undefined ? '' : ` ${filter.text}`} ${place}`;
    if (found.length === 0) {
      answer.say(`There are no ${what}.`, { objects });
      return;
    }
    const shown = found.slice(0, namedLimit);
    const lines = shown.map(({ ref, status }) =>
      status === undefined ? `• ${calledOf(ref)}` : `• ${calledOf(ref)}: ${status.label}`,
    );
    const rest = found.length - shown.length;
    answer.say(
      [
        `${isWhole ? '' : 'At least '}${found.length.toLocaleString('en')} ${what}:`,
        ...lines,
        ...(rest === 0
          ? []
          : [`… and ${rest.toLocaleString('en')} more. Name a namespace or a status to list fewer.`]),
      ].join('\n'),
      { objects: [...objects, ...shown.map(({ ref }) => ref)] },
    );
  });
}

interface Listing {
  readonly kind: AnyKind;
  readonly rows: readonly ListedObject[];
  readonly isWhole: boolean;
  /** Behind the objects: `in the namespace shop`. */
  readonly place: string;
  readonly filter: StatusFilter | undefined;
}

/** Where objects of a kind are, behind their noun: `in the namespace shop`. */
function placeOf(asked: AskedQuestion, kind: AnyKind, namespace: string | undefined): string {
  if (kind.scope === 'Namespaced') return `in ${placeText(asked, namespace)}`;
  return isNamespaceKind(kind) && asked.isPartial ? 'that you see' : 'in the cluster';
}

/** Answers by the list of each kind that a question names. */
function listing(
  asked: AskedQuestion,
  say: (listing: Listing, answer: AnswerParts, objects: readonly ToldObject[]) => void,
): RuleAnswer {
  const { parsed } = asked;
  const namespace = namespaceOf(asked);
  const [subject] = subjectsOf(asked);
  // `the pods on the node worker-1` asks for pods.
  const isNamed = (id: string) =>
    id === subject?.kind || (isNamespace({ kind: id }) && namespace !== undefined);
  const kinds = parsed.kinds.filter((id) => parsed.kinds.length === 1 || !isNamed(id));
  return {
    about:
      kinds.length === 0
        ? 'A list'
        : `${listed(kinds.map((id) => kindById(id)?.title ?? id))} in ${placeText(asked, namespace)}`,
    objects: namespace === undefined && subject === undefined ? [allNamespaces] : placeObjects(namespace),
    async read(answer) {
      if (kinds.length === 0) {
        answer.note(
          'The question does not name a kind of object. For example: “How many pods are in shop?”.',
        );
        return { summary: 'Nothing was looked up.' };
      }
      let total = 0;
      for (const id of kinds.slice(0, kindLimit)) {
        const { kind, rows, isWhole, of } = await listFor(asked, id, namespace);
        const isPlaced = kind.scope === 'Namespaced' && namespace !== undefined;
        const place = placeOf(asked, kind, namespace);
        total += rows.length;
        say(
          {
            kind,
            rows,
            isWhole,
            place: of ?? place,
            filter: restartFilterOf(parsed, kind) ?? statusFilterOf(parsed.text, kind),
          },
          answer,
          isPlaced ? [{ kind: kind.id, namespace }] : [{ kind: kind.id, need: 'asker' }],
        );
      }
      const reach = await asked.parts.reach();
      if (reach.held.namespaces !== 'all' && namespace === undefined)
        answer.note('Only objects in namespaces that you may view are counted.');
      else if (namespace === undefined && reach.excluded.size > 0)
        answer.note('Objects in namespaces that you exclude from your views are not counted.');
      return { summary: `${counted(total, 'object')} read.`, objects: [allNamespaces] };
    },
  };
}

/** The place of an object, and of its pods. */
function where(asked: AskedQuestion, ref: Ref): RuleAnswer {
  return {
    about: `Where ${calledOf(ref)} is`,
    objects: [{ kind: 'pod', ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }) }],
    async read(answer) {
      const kind = await asked.parts.findKind(ref.kind);
      const object = await readSubject(asked, ref);
      const node = isPodKind(ref.kind) ? (object as Pod).spec?.nodeName : undefined;
      const inPlace = ref.namespace === undefined ? '' : ` in the namespace ${ref.namespace}`;
      answer.say(
        `${kind.kind} ${ref.name} is${inPlace}${node === undefined ? '' : ` on the node ${node}`}.`,
        {
          evidence: [exists(ref)],
          opens: [ref],
          ...(node === undefined ? {} : { objects: [{ kind: 'node', name: node }] }),
        },
      );
      const selector = podSelectorOf(kind, object);
      if (selector === undefined) return { summary: 'Found.' };
      const { rows } = await readList(asked, 'pod', ref.namespace, selector);
      for (const { ref: pod, object: of, status } of rows.slice(0, namedLimit)) {
        const on = (of as Pod).spec?.nodeName;
        answer.say(
          `Pod ${pod.name} is ${on === undefined ? 'on no node yet' : `on the node ${on}`}${status === undefined ? '' : `: ${status.label}`}.`,
          { evidence: [exists(pod)], ...(on === undefined ? {} : { objects: [{ kind: 'node', name: on }] }) },
        );
      }
      return { summary: counted(rows.length, 'pod') + '.' };
    },
  };
}
