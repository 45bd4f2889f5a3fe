import type { CustomObject } from '../../kube/custom.ts';
import type { CustomHealth, FirstByMeaning } from './conclude.ts';
import { fieldAt, isPart, textIn } from './fields.ts';
import { generalRule, type StatusRule } from './rule.ts';
import { partErrorIn, wordsIn } from './scan.ts';
import { labelIn, meaningOf, toneOf } from './statements.ts';
import { wordReader } from './word-reading.ts';

/** Maximum number of messages of a validation that are read. */
const maxNotices = 50;
/** Fields whose content always reports a failure. */
const failureFields = ['status.failureMessage', 'status.failureReason'].map(fieldAt);

/** Compiles the reader of an object's pause: the label of a paused object, undefined for any other. */
export function pauseReader(rule: StatusRule): (object: CustomObject) => string | undefined {
  const fields = (rule.stopped ?? []).map((field) => {
    const [at, is, label] = typeof field === 'string' ? [field, undefined, undefined] : field;
    return { read: fieldAt(at), is, label: label ?? is ?? 'Suspended' };
  });

  return (object) => {
    for (const { read, is, label } of fields) {
      const value = read(object);
      if (is === undefined ? value === true : value === is) return label;
    }
    const { annotations } = object.metadata ?? {};
    const isPaused = rule.stoppedBy?.some((one) => {
      const [name, is] = typeof one === 'string' ? [one, 'true'] : one;
      return annotations?.[name] === is;
    });
    return isPaused === true ? 'Paused' : undefined;
  };
}

/** Counts of workloads, by the names of Kubernetes's own. */
const generalCounts = {
  wanted: ['spec.replicas', 'status.desiredNumberScheduled', 'status.desiredReplicas', 'status.replicas'],
  ready: ['status.readyReplicas', 'status.numberReady', 'status.availableReplicas', 'status.numberAvailable'],
  current: ['status.updatedReplicas', 'status.updatedNumberScheduled'],
};

/** The first count in some fields. */
function countReader(fields: readonly string[]): (object: object) => number | undefined {
  const reads = fields.map(fieldAt);
  return (object) => {
    for (const read of reads) {
      const value = read(object);
      if (typeof value === 'number') return value;
    }
    return undefined;
  };
}

/** Compiles what adds the statement of an object's counts. */
export function countStatements({
  counts,
  words,
}: StatusRule): (statements: FirstByMeaning, object: CustomObject) => void {
  if (counts === undefined && words !== undefined) return () => {};
  const { wanted, ready, current } =
    counts === undefined
      ? generalCounts
      : {
          wanted: [counts.wanted],
          ready: [counts.ready],
          current: counts.current === undefined ? [] : [counts.current],
        };
  const readWanted = countReader(wanted);
  const readReady = countReader(ready);
  const readCurrent = countReader(current);
  const readUnavailable = fieldAt('status.unavailableReplicas');

  return (statements, object) => {
    const wantedCount = readWanted(object);
    const unavailable = readUnavailable(object);
    // A count of zero is often left out.
    const isZero = typeof unavailable === 'number' && unavailable > 0;
    const readyCount = readReady(object) ?? (isZero ? 0 : undefined);
    if (wantedCount === undefined || readyCount === undefined) return;
    const currentCount = readCurrent(object);
    if (currentCount !== undefined && currentCount < wantedCount)
      statements['under-way'] ??= { tone: 'info', label: 'Rolling' };
    else if (readyCount < wantedCount)
      statements.slow ??= { tone: 'warn', label: `${readyCount} of ${wantedCount} ready` };
    else if (wantedCount === 0) statements.idle ??= { tone: 'idle', label: 'Scaled to 0' };
    else statements.well ??= { tone: 'ok', label: 'Ready' };
  };
}

/** Compiles what adds the statement of an object whose controllers have not answered. */
export function answerStatements({
  answers,
}: StatusRule): (statements: FirstByMeaning, object: CustomObject) => void {
  if (answers === undefined) return () => {};
  const { label, message } = answers;
  const readAsked = answers.asked === undefined ? undefined : fieldAt(answers.asked);
  const readAnswered = fieldAt(answers.answered);
  const isEmpty = (value: unknown) => !Array.isArray(value) || value.length === 0;

  return (statements, object) => {
    if (readAsked !== undefined && isEmpty(readAsked(object))) return;
    if (isEmpty(readAnswered(object))) statements.slow ??= { tone: 'warn', label, message };
  };
}

/** Compiles what adds the statements of the status words; it returns the health if one of them decides alone. */
export function wordStatements(
  rule: StatusRule,
): (statements: FirstByMeaning, object: CustomObject) => CustomHealth | undefined {
  const words = (rule.words ?? generalRule.words).map((word) => ({
    read: wordReader(word, rule.tones),
    decides: word.decides === true,
  }));

  return (statements, object) => {
    for (const { read, decides } of words) {
      const word = read(object);
      if (word === undefined) continue;
      const { says, message } = word;
      const health: CustomHealth = { tone: toneOf(says ?? 'info'), label: labelIn(word.label), message };
      if (decides && says !== undefined) return health;
      statements[says === undefined ? 'said' : says === 'ok' ? 'word' : meaningOf[says]] ??= health;
    }
    return undefined;
  };
}

/** Adds that an object without a summary is in progress, where its kind has one in the end. */
export function addAwaited(statements: FirstByMeaning, { awaits }: StatusRule): void {
  if (awaits === undefined || statements.head !== undefined || statements.word !== undefined) return;
  statements.open ??= { tone: 'info', label: `Not ${awaits} yet` };
}

/** Adds that the object or a part of it lists errors. */
export function addPartError(statements: FirstByMeaning, status: object): void {
  const message = partErrorIn(status);
  if (message !== undefined) statements.aside ??= { tone: 'bad', label: 'Error', message };
}

/** The most serious message of a validation, as Istio writes them. */
function addNotices(statements: FirstByMeaning, notices: unknown): void {
  if (!Array.isArray(notices)) return;
  for (const notice of notices.slice(0, maxNotices) as readonly unknown[]) {
    if (!isPart(notice)) continue;
    const level = textIn(notice['level'])?.toLowerCase();
    if (level !== 'error' && level !== 'warning') continue;
    const { type } = notice;
    const name = textIn(isPart(type) ? type['name'] : type) ?? 'Invalid';
    const health = { label: labelIn(name), message: textIn(notice['message']) };
    if (level === 'error') statements.hard ??= { ...health, tone: 'bad' };
    else statements.warn ??= { ...health, tone: 'warn' };
  }
}

/** Adds the statements of status fields that no rule names: only for kinds without words of their own. */
export function addUnruledWords(statements: FirstByMeaning, status: object, { tones }: StatusRule): void {
  const isHealthy = statements.head !== undefined || statements.word !== undefined;
  for (const { says, label, message, isAside, isError } of wordsIn(status, tones)) {
    if (isAside && (says === 'info' || says === 'idle')) continue;
    const isPartial = isAside && (isError !== true || isHealthy);
    const meaning = isPartial && toneOf(says) === 'bad' ? 'aside' : meaningOf[says];
    statements[meaning] ??= { tone: toneOf(says), label: labelIn(label), message };
  }
  addNotices(statements, (status as { readonly validationMessages?: unknown }).validationMessages);
  for (const read of failureFields) {
    const text = textIn(read({ status }));
    if (text !== undefined) statements.hard ??= { tone: 'bad', label: 'Failed', message: text };
  }
}
