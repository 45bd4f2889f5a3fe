import type { CustomObject } from '../../kube/custom.ts';
import type { CustomHealth, FirstByMeaning } from './conclude.ts';
import { fieldAt, textIn } from './fields.ts';
import { generalRule, type StatusRule } from './rule.ts';
import { wordsIn } from './scan.ts';
import { labelIn, meaningOfTone } from './statements.ts';
import { wordReader } from './word-reading.ts';

/** Fields whose content always reports a failure. */
const failureFields = ['status.failureMessage', 'status.failureReason'].map(fieldAt);

/** Compiles the reader of an object's pause: the label of a paused object, undefined for any other. */
export function pauseReader(rule: StatusRule): (object: CustomObject) => string | undefined {
  const fields = (rule.stopped ?? []).map((field) => {
    const [at, is] = typeof field === 'string' ? [field, undefined] : field;
    return { read: fieldAt(at), is };
  });

  return (object) => {
    for (const { read, is } of fields) {
      const value = read(object);
      if (is === undefined ? value === true : value === is) return is ?? 'Suspended';
    }
    const { annotations } = object.metadata ?? {};
    const isPaused = rule.stoppedBy?.some((name) => annotations?.[name] === 'true') === true;
    return isPaused ? 'Paused' : undefined;
  };
}

/** Compiles what adds the statement of an object's counts. */
export function countStatements({
  counts,
}: StatusRule): (statements: FirstByMeaning, object: CustomObject) => void {
  if (counts === undefined) return () => {};
  const readWanted = fieldAt(counts.wanted);
  const readReady = fieldAt(counts.ready);
  const readCurrent = counts.current === undefined ? undefined : fieldAt(counts.current);

  return (statements, object) => {
    const wanted = readWanted(object);
    const ready = readReady(object);
    if (typeof wanted !== 'number' || typeof ready !== 'number') return;
    const current = readCurrent?.(object);
    if (typeof current === 'number' && current < wanted)
      statements['under-way'] ??= { tone: 'info', label: 'Rolling' };
    else if (ready < wanted) statements.warn ??= { tone: 'warn', label: `${ready} of ${wanted} ready` };
    else statements.well ??= { tone: 'ok', label: 'Ready' };
  };
}

/** Compiles what adds the statements of the status words; it returns the health if one of them decides alone. */
export function wordStatements(
  rule: StatusRule,
): (statements: FirstByMeaning, object: CustomObject) => CustomHealth | undefined {
  const words = (rule.words ?? generalRule.words).map((word) => ({
    read: wordReader(word),
    decides: word.decides === true,
  }));

  return (statements, object) => {
    for (const { read, decides } of words) {
      const word = read(object);
      if (word === undefined) continue;
      const { tone = 'info', isFlag, message } = word;
      const health: CustomHealth = { tone, label: labelIn(word.label), message };
      if (decides && word.tone !== undefined) return health;
      const isSoft = isFlag && tone === 'bad';
      const meaning = word.tone === undefined ? 'said' : isSoft ? 'soft' : meaningOfTone[tone];
      statements[meaning] ??= health;
    }
    return undefined;
  };
}

/** Adds the statements of status fields that no rule names: only for kinds without words of their own. */
export function addUnruledWords(statements: FirstByMeaning, status: object): void {
  for (const { tone, label, message, isAside } of wordsIn(status)) {
    if (isAside && (tone === 'info' || tone === 'idle')) continue;
    const meaning = isAside && tone === 'bad' ? 'aside' : meaningOfTone[tone];
    statements[meaning] ??= { tone, label: labelIn(label), message };
  }
  for (const read of failureFields) {
    const text = textIn(read({ status }));
    if (text !== undefined) statements.hard ??= { tone: 'bad', label: 'Failed', message: text };
  }
}
