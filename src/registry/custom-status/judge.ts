import type { CustomObject } from '../../kube/custom.ts';
import type { Tone } from '../tone.ts';
import { conditionIn, type CustomCondition, type Saying, sayingOf } from './conditions.ts';
import {
  conclude,
  type CustomHealth,
  type FirstByMeaning,
  unobservedChange,
  type Meaning,
} from './conclude.ts';
import { fieldAt, isPart, textIn } from './fields.ts';
import type { Polarity } from './polarity.ts';
import { generalRule, type StatusRule } from './rule.ts';
import { wordsIn } from './scan.ts';
import { wordReader } from './word-reading.ts';
import { isFailing } from './words.ts';

/** Judges the health of objects of one kind. Accepts objects of any shape and takes bounded time. */
export type CustomJudge = (object: CustomObject) => CustomHealth;

/** Maximum number of conditions of a list, and of parts of a status, that are read. */
const maxConditions = 50;
const maxParts = 64;
const maxLabelLength = 80;

/** Summary conditions in order of precedence for the label of a healthy object. */
const naming = ['Ready', 'Healthy', 'Available', 'Succeeded', 'Programmed', 'Accepted'];
const rankOf = (label: string) => {
  const rank = naming.indexOf(label);
  return rank < 0 ? naming.length : rank;
};

/** A label from the cluster, cut to the length of a cell. */
const labelIn = (text: string) => (text.length > maxLabelLength ? `${text.slice(0, maxLabelLength)}…` : text);

const ofWord: Readonly<Record<Tone, Meaning>> = {
  bad: 'hard',
  warn: 'warn',
  info: 'under-way',
  idle: 'idle',
  ok: 'well',
};

/** The meaning of a condition's statement for the whole object. */
function meaningOf(says: Saying, polarity: Polarity): Meaning {
  switch (says) {
    case 'ok':
      return polarity === 'head' ? 'head' : 'well';
    case 'info':
      return polarity === 'head' || polarity === 'good' ? 'open' : 'under-way';
    case 'soft':
    case 'aside':
      return says;
    case 'bad':
    case 'warn':
    case 'idle':
      return ofWord[says];
    default: {
      const never: never = says;
      return never;
    }
  }
}

/** The label for a condition's statement. */
function labelOf({ type, reason, status }: CustomCondition, says: Saying, isTroubleType: boolean): string {
  if (says === 'ok') return isTroubleType ? 'OK' : type;
  if (isTroubleType)
    return isFailing(reason) || /^(?:Warning|Error|Failed)$/.test(type) ? reason || type : type;
  if (status === 'True') return type;
  if (status !== 'False' && status !== 'Unknown') return status ?? type;
  return (reason !== type && reason) || (status === 'Unknown' ? `${type} unknown` : `Not ${type}`);
}

/**
 * Adds a condition's statement. @param of the part of the object that has the condition, empty for the object itself
 */
function hear(
  heard: FirstByMeaning,
  condition: CustomCondition,
  rule: StatusRule,
  generation: number,
  of: string,
): void {
  const [says, polarity] = sayingOf(condition, rule);
  if (says === undefined) return;
  const { observedGeneration, since } = condition;
  if (observedGeneration !== undefined && observedGeneration < generation) {
    heard.late ??= unobservedChange;
    return;
  }
  const meaning = meaningOf(says, polarity);
  const before = heard[meaning];
  const label = labelIn(labelOf(condition, says, polarity === 'bad' || polarity === 'warn'));
  if (before !== undefined && (meaning !== 'head' || rankOf(before.label) <= rankOf(label))) return;
  const message = condition.message ?? (of === '' ? undefined : condition.reason);
  heard[meaning] = {
    tone: says === 'soft' || says === 'aside' ? 'bad' : says,
    label,
    message: of === '' || message === undefined ? message : `${of}: ${message}`,
    since,
  };
}

/** Fields that pause a controller, on any kind; problems still show. */
const halts = ['spec.suspend', 'spec.suspended', 'spec.paused'].map(fieldAt);
/** Fields whose content always reports a failure. */
const failures = ['status.failureMessage', 'status.failureReason'].map(fieldAt);

/**
 * Compiles the judge of a kind's objects. @param ignoresGeneration whether its generation also counts status changes
 */
export function customJudge(rule: StatusRule, ignoresGeneration = false): CustomJudge {
  const lists = (rule.conditions ?? generalRule.conditions).map(fieldAt);
  const rules = rule.words ?? generalRule.words;
  const wordReaders = rules.map((word) => ({ read: wordReader(word), decides: word.decides === true }));
  const parts = (rule.parts ?? generalRule.parts).map(({ at, called, name }) => ({
    read: fieldAt(`status.${at}`),
    called,
    nameOf: fieldAt(name),
  }));
  const stopped = (rule.stopped ?? []).map((one) => {
    const [at, is] = typeof one === 'string' ? [one, undefined] : one;
    return { read: fieldAt(at), is };
  });
  const { counts } = rule;
  const readCounts = counts && {
    wanted: fieldAt(counts.wanted),
    ready: fieldAt(counts.ready),
    current: counts.current === undefined ? undefined : fieldAt(counts.current),
  };

  /** The label of a paused object; undefined for any other. */
  function haltOf(object: CustomObject): string | undefined {
    for (const { read, is } of stopped) {
      const value = read(object);
      if (is === undefined ? value === true : value === is) return is ?? 'Suspended';
    }
    const { annotations } = object.metadata ?? {};
    const isPaused = rule.stoppedBy?.some((name) => annotations?.[name] === 'true') === true;
    return isPaused ? 'Paused' : undefined;
  }

  function hearCounts(heard: FirstByMeaning, object: CustomObject): void {
    const [wanted, ready] = [readCounts?.wanted(object), readCounts?.ready(object)];
    if (typeof wanted !== 'number' || typeof ready !== 'number') return;
    const current = readCounts?.current?.(object);
    if (typeof current === 'number' && current < wanted)
      heard['under-way'] ??= { tone: 'info', label: 'Rolling' };
    else if (ready < wanted) heard.warn ??= { tone: 'warn', label: `${ready} of ${wanted} ready` };
    else heard.well ??= { tone: 'ok', label: 'Ready' };
  }

  function hearConditions(heard: FirstByMeaning, value: unknown, generation: number, of: string): void {
    if (!Array.isArray(value)) return;
    for (let at = 0; at < value.length && at < maxConditions; at += 1) {
      const condition = conditionIn(value[at]);
      if (condition !== undefined) hear(heard, condition, rule, generation, of);
    }
  }

  function hearParts(heard: FirstByMeaning, object: CustomObject, generation: number): void {
    for (const { read, called, nameOf } of parts) {
      const list = read(object);
      if (!Array.isArray(list)) continue;
      for (let at = 0; at < list.length && at < maxParts; at += 1) {
        const part: unknown = list[at];
        if (!isPart(part) || !Array.isArray(part['conditions'])) continue;
        const name = textIn(nameOf(part));
        hearConditions(
          heard,
          part['conditions'],
          generation,
          name === undefined ? called : `${called} ${name}`,
        );
      }
    }
  }

  /** Adds what the status words say; returns the health if one of them decides alone. */
  function hearWords(heard: FirstByMeaning, object: CustomObject): CustomHealth | undefined {
    for (const { read, decides } of wordReaders) {
      const word = read(object);
      if (word === undefined) continue;
      const { tone = 'info', isFlag, message } = word;
      const health: CustomHealth = { tone, label: labelIn(word.label), message };
      if (decides && word.tone !== undefined) return health;
      const meaning = word.tone === undefined ? 'said' : isFlag && tone === 'bad' ? 'soft' : ofWord[tone];
      heard[meaning] ??= health;
    }
    return undefined;
  }

  /** Adds the words in fields that no rule names; only for kinds without a rule of their own. */
  function hearOthers(heard: FirstByMeaning, status: object): void {
    if (rule.words !== undefined) return;
    for (const { tone, label, message, isAside } of wordsIn(status)) {
      if (isAside && (tone === 'info' || tone === 'idle')) continue;
      heard[isAside && tone === 'bad' ? 'aside' : ofWord[tone]] ??= { tone, label: labelIn(label), message };
    }
    for (const read of failures) {
      const text = textIn(read({ status }));
      if (text !== undefined) heard.hard ??= { tone: 'bad', label: 'Failed', message: text };
    }
  }

  return (object) => {
    const { metadata, status } = object;
    if (metadata?.deletionTimestamp !== undefined) return { tone: 'info', label: 'Terminating' };
    const halt = haltOf(object);
    if (halt !== undefined) return { tone: 'idle', label: halt };
    if (!isPart(status)) return { tone: 'idle', label: 'No status' };
    const generation = ignoresGeneration ? 0 : (metadata?.generation ?? 0);
    const observed = observedIn(status);
    const isSeen = observed !== undefined && observed >= generation;

    const heard: FirstByMeaning = {};
    // A healthy statement refers to the earlier spec; a failure stays until the controller says otherwise.
    if (observed !== undefined && !isSeen) heard.late = unobservedChange;
    const decided = hearWords(heard, object);
    if (decided !== undefined)
      return decided.tone === 'ok' && heard.late !== undefined ? unobservedChange : decided;
    // If the status as a whole is current, its conditions need no generation of their own.
    for (const read of lists) hearConditions(heard, read(object), isSeen ? 0 : generation, '');
    hearParts(heard, object, generation);
    hearCounts(heard, object);
    hearOthers(heard, status);
    return conclude(
      heard,
      observed !== undefined && !isSeen,
      halts.some((read) => read(object) === true),
    );
  };
}

/** The generation that a status refers to, which some controllers write as text; undefined if it is invalid. */
function observedIn(status: object): number | undefined {
  const { observedGeneration: value } = status as { readonly observedGeneration?: unknown };
  if (typeof value === 'number') return value;
  // Older Argo Rollouts wrote a hash here.
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
