import { kindById } from '../../../../commands/kinds/index.ts';
import { coresText, formatBytes } from '../../../kube/format-quantity.ts';
import type { Ref } from '../../../contract/objects.ts';
import { type UsageKind, usageKinds, usageObjects } from '../../../contract/usage.ts';
import { systemClock } from '../../kit/clock.ts';
import { pause } from '../../kit/pause.ts';
import { counted } from '../../../registry/counted.ts';
import type { AnswerParts } from './answer-parts.ts';
import {
  type AskedQuestion,
  allNamespaces,
  exists,
  namespaceOf,
  placeObjects,
  placeText,
  readList,
  readSubject,
  type RuleAnswer,
  subjectsOf,
} from './asking.ts';
import { podSelectorOf } from './lists.ts';
import { calledOf, titleOf } from './question-names.ts';

/** Objects that are named, those with the highest usage first. */
const topLimit = 8;
/** Objects that are measured to find those with the highest usage. */
const mostMeasured = 10 * usageObjects;
/** Number of lookups while the console has measured nothing yet, and the pause between them, ms. */
const lookups = 6;
const lookupPause = 500;

/** Words that ask for what uses most, not for a sum. */
const asksForMost = /\b(?:hog\w*|eats?|eating|most|top|meisten?)\b/;

type Numbers = readonly (number | null)[];

/** The last and the highest of some figures. */
export function figuresOf(values: Numbers): { readonly last: number; readonly highest: number } | undefined {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  return last === undefined ? undefined : { last, highest: Math.max(...known) };
}

/** The processor and memory that an object, the objects in a place, or the cluster use. */
export function usage(asked: AskedQuestion): RuleAnswer {
  const [ref] = subjectsOf(asked);
  const namespace = namespaceOf(asked);
  const { kinds } = asked.parsed;
  if (ref !== undefined)
    return { about: `Usage of ${calledOf(ref)}`, read: (answer) => objectUsage(asked, ref, answer) };
  const isAboutUsers =
    /^(?:who|what|which|wer|was|welche\w*|top) /.test(asked.parsed.text) &&
    asksForMost.test(asked.parsed.text);
  if (namespace === undefined && kinds.length === 0 && !isAboutUsers)
    return {
      about: 'Usage of the cluster',
      objects: [allNamespaces],
      read: (answer) => clusterUsage(asked, answer),
    };
  const kind = kinds.includes('node') && namespace === undefined ? 'node' : 'pod';
  return {
    about: `Usage of the ${kind}s in ${placeOf(asked, kind, namespace)}`,
    objects: placeObjects(namespace),
    read: (answer) => topUsage(asked, kind, namespace, answer),
  };
}

/** Where the objects of a question are: nodes are in no namespace. */
const placeOf = (asked: AskedQuestion, kind: 'pod' | 'node', namespace: string | undefined): string =>
  kindById(kind)?.scope === 'Cluster' ? 'the cluster' : placeText(asked, namespace);

const used = (
  { last, highest }: { last: number; highest: number },
  text: (value: number) => string,
): string => `${text(last)} now, at most ${text(highest)}`;

function sayHistory(
  what: string,
  { cpu, memory }: { cpu: Numbers; memory: Numbers },
  message: string | null,
  answer: AnswerParts,
  more: Parameters<AnswerParts['say']>[1],
) {
  const [cores, bytes] = [figuresOf(cpu), figuresOf(memory)];
  if (cores === undefined && bytes === undefined) {
    answer.say(`No usage of ${what} is measured.${message === null ? '' : ` ${message}`}`, more);
    return { summary: 'No usage is measured.' };
  }
  const parts = [
    ...(cores === undefined ? [] : [`CPU ${used(cores, coresText)}`]),
    ...(bytes === undefined ? [] : [`memory ${used(bytes, formatBytes)}`]),
  ];
  answer.say(`Usage of ${what} in the last hour: ${parts.join('; ')}.`, more);
  if (message !== null) answer.note(message);
  return { summary: 'Measured.' };
}

async function objectUsage(asked: AskedQuestion, ref: Ref, answer: AnswerParts) {
  const { calls, clusterId } = asked.question;
  const history = await calls.read('objectUsageHistory', {
    params: { clusterId, kind: ref.kind },
    query: { namespace: ref.namespace ?? '', name: ref.name, seconds: '3600' },
  });
  const isMeasured = figuresOf(history.cpu) !== undefined || figuresOf(history.memory) !== undefined;
  const usageKind = usageKinds.find((id) => id === ref.kind);
  if (!isMeasured && usageKind !== undefined) {
    const [one] = await measured(asked, usageKind, [ref]);
    if (one !== undefined) return sayHistory(titleOf(ref), one, null, answer, { evidence: [exists(ref)] });
  }
  const kind = await asked.parts.findKind(ref.kind);
  const selector =
    isMeasured || kind.pods === undefined ? undefined : podSelectorOf(kind, await readSubject(asked, ref));
  if (selector !== undefined) {
    const { rows } = await readList(asked, 'pod', ref.namespace, selector);
    const samples =
      rows.length === 0
        ? []
        : await measured(
            asked,
            'pod',
            rows.map(({ ref: pod }) => pod),
          );
    const sum = (values: readonly Numbers[]) =>
      values.reduce((all, one) => all + (figuresOf(one)?.last ?? 0), 0);
    if (samples.length > 0) {
      const cores = coresText(sum(samples.map(({ cpu }) => cpu)));
      const bytes = formatBytes(sum(samples.map(({ memory }) => memory)));
      answer.say(
        `Usage of ${titleOf(ref)} now: ${cores} and ${bytes} of memory, in ${counted(rows.length, 'pod')}.`,
        {
          evidence: [exists(ref)],
          objects: rows.map(({ ref: pod }) => pod),
        },
      );
      return { summary: 'Measured.' };
    }
  }
  return sayHistory(titleOf(ref), history, history.message, answer, { evidence: [exists(ref)] });
}

async function clusterUsage(asked: AskedQuestion, answer: AnswerParts) {
  const { calls, clusterId } = asked.question;
  const history = await calls.read('clusterUsageHistory', {
    params: { clusterId },
    query: { seconds: '3600' },
  });
  if (figuresOf(history.cpu) === undefined && figuresOf(history.memory) === undefined)
    return await topUsage(asked, 'node', undefined, answer);
  return sayHistory('the cluster', history, history.message, answer, { objects: [allNamespaces] });
}

/** The samples of some objects, as soon as there are some. No page may show them, so they are measured for the answer. */
async function measured(asked: AskedQuestion, kind: UsageKind, refs: readonly Ref[]) {
  const release = asked.parts.measureUsage(kind);
  try {
    return await sampled(asked, kind, refs);
  } finally {
    release();
  }
}

/** The samples of more objects than one call takes. */
async function measuredAll(asked: AskedQuestion, kind: UsageKind, refs: readonly Ref[]) {
  const samples: Awaited<ReturnType<typeof measured>>[number][] = [];
  for (let at = 0; at < refs.length; at += usageObjects) {
    const part = refs.slice(at, at + usageObjects);
    const found = await measured(asked, kind, part);
    samples.push(...part.map((_, index) => found[index] ?? { cpu: [], memory: [] }));
  }
  return samples;
}

async function sampled(
  { question: { calls, clusterId, signal } }: AskedQuestion,
  kind: UsageKind,
  refs: readonly Ref[],
) {
  const objects = refs.slice(0, usageObjects).map(({ namespace = '', name }) => ({ namespace, name }));
  for (let lookup = 1; ; lookup += 1) {
    const answer = await calls.read('usageOf', { params: { clusterId, kind }, body: { objects } });
    const isKnown = answer.objects.some(
      ({ cpu, memory }) => figuresOf(cpu) !== undefined || figuresOf(memory) !== undefined,
    );
    const isFinal = answer.status !== 'loading' && answer.status !== 'live';
    if (isKnown || isFinal || lookup === lookups) return isKnown ? answer.objects : [];
    await pause(systemClock, lookupPause, signal);
  }
}

async function topUsage(
  asked: AskedQuestion,
  kind: 'pod' | 'node',
  namespace: string | undefined,
  answer: AnswerParts,
) {
  const { rows } = await readList(asked, kind, namespace);
  const refs = rows.map(({ ref }) => ref);
  const samples = refs.length === 0 ? [] : await measuredAll(asked, kind, refs.slice(0, mostMeasured));
  const isMemory = /\b(?:memory|ram|speicher)\b/.test(asked.parsed.text);
  const found = samples
    .map(({ cpu, memory }, index) => ({
      ref: refs[index],
      cores: figuresOf(cpu)?.last,
      bytes: figuresOf(memory)?.last,
    }))
    .flatMap(({ ref, ...figures }) =>
      ref === undefined || figures.cores === undefined ? [] : [{ ref, ...figures }],
    )
    .toSorted((a, b) => (isMemory ? (b.bytes ?? 0) - (a.bytes ?? 0) : (b.cores ?? 0) - (a.cores ?? 0)));
  const objects = [
    ...placeObjects(namespace),
    { kind, ...(namespace === undefined ? { need: 'asker' as const } : { namespace }) },
  ];
  if (found.length === 0) {
    answer.say(`No usage of ${kind}s in ${placeOf(asked, kind, namespace)} is measured.`, { objects });
    return { summary: 'No usage is measured.' };
  }
  for (const { ref, cores, bytes } of found.slice(0, topLimit))
    answer.say(
      `${titleOf(ref)} uses ${coresText(cores ?? 0)}${bytes === undefined ? '' : ` and ${formatBytes(bytes)} of memory`} now.`,
      { evidence: [exists(ref)] },
    );
  const sum = found.reduce(
    (all, { cores = 0, bytes = 0 }) => ({ cores: all.cores + cores, bytes: all.bytes + bytes }),
    { cores: 0, bytes: 0 },
  );
  answer.say(
    `${counted(found.length, kind)} in ${placeOf(asked, kind, namespace)} ${found.length === 1 ? 'uses' : 'use'} ${coresText(sum.cores)} and ${formatBytes(sum.bytes)} of memory in all.`,
    { objects },
  );
  if (refs.length > mostMeasured)
    answer.note(`Only ${mostMeasured} of ${counted(refs.length, kind)} were measured.`);
  return { summary: 'Measured.', objects };
}
