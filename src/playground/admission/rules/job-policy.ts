import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, rec, recs, str } from '../../kit/values.ts';
import { keyProblem } from '../../kit/names.ts';
import type { Check } from './rule.ts';

/** Maximum sizes of indexed jobs. */
const LIMITS = {
  parallelism: 100_000,
  failed: 100_000,
  completions: 100_000,
  busy: 10_000,
  rules: 20,
  values: 255,
};
const byIndex = 'requires indexed completion mode';
const modes = ['NonIndexed', 'Indexed'];

const siblingPath = (path: string, field: string) => path.replace(/\w+$/, field);

/** `managedBy`: a path with a domain prefix. */
export const manager: Check = (value, path) => {
  if (value === undefined) return [];
  const name = str(value);
  const [domain = '', ...rest] = name.split('/');
  const causes: Cause[] = [];
  if (name === '') causes.push(cause.required(path));
  else if (domain === '' || rest.join('/') === '') {
    causes.push(cause.invalid(path, name, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  }
  if (name.length > 63) causes.push(cause.tooLong(path, 63));
  return causes;
};

export const failedIndexes: Check = (value, path, spec) => {
  if (typeof value !== 'number') return [];
  const causes: Cause[] = value < 0 ? [cause.invalid(path, value, 'must be greater than or equal to 0')] : [];
  if (spec['backoffLimitPerIndex'] === undefined) {
    causes.push(
      cause.required(siblingPath(path, 'backoffLimitPerIndex'), 'when maxFailedIndexes is specified'),
    );
  }
  return causes;
};

function indexed(spec: Rec, path: string): Cause[] {
  const fieldPath = (field: string) => siblingPath(path, field);
  const { completions, parallelism, maxFailedIndexes: failed } = spec;
  const causes: Cause[] = [];
  if (completions === undefined) {
    causes.push(cause.required(fieldPath('completions'), 'when completion mode is Indexed'));
  }
  const above = (field: string, value: unknown, limit: number, why: string) => {
    if (typeof value === 'number' && value > limit) causes.push(cause.invalid(fieldPath(field), value, why));
  };
  above(
    'parallelism',
    parallelism,
    LIMITS.parallelism,
    `must be less than or equal to ${LIMITS.parallelism} when completion mode is Indexed`,
  );
  if (typeof completions === 'number') {
    above('maxFailedIndexes', failed, completions, 'must be less than or equal to completions');
  }
  above('maxFailedIndexes', failed, LIMITS.failed, `must be less than or equal to ${LIMITS.failed}`);
  if (Number(completions) > LIMITS.completions && spec['backoffLimitPerIndex'] !== undefined) {
    const why = `must be less than or equal to ${LIMITS.busy} when completions are above ${LIMITS.completions} and used with backoff limit per index`;
    if (failed === undefined) {
      const must = `must be specified when completions is above ${LIMITS.completions}`;
      causes.push(cause.required(fieldPath('maxFailedIndexes'), must));
    }
    above('parallelism', parallelism, LIMITS.busy, why);
    above('maxFailedIndexes', failed, LIMITS.busy, why);
  }
  return causes;
}

export const completionMode: Check = (value, path, spec) => {
  if (value === 'Indexed') return indexed(spec, path);
  const causes: Cause[] = [];
  if (value !== undefined && value !== 'NonIndexed') causes.push(cause.notSupported(path, value, modes));
  if (value === undefined || value === 'NonIndexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      if (spec[field] !== undefined)
        causes.push(cause.invalid(siblingPath(path, field), spec[field], byIndex));
    }
  }
  return causes;
};

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const truths = ['False', 'True', 'Unknown'];
/** Texts as Go prints a list of them. */
const goWords = (texts: readonly string[]) => `[${texts.map((word) => JSON.stringify(word)).join(' ')}]`;

function oneOfTexts(value: unknown, path: string, texts: readonly string[]): Cause[] {
  if (value === undefined || value === '') return [cause.required(path, `valid values: ${goWords(texts)}`)];
  return texts.includes(str(value)) ? [] : [cause.notSupported(path, value, texts)];
}

function exitCodes(codes: Rec, path: string, names: readonly string[]): Cause[] {
  const causes = oneOfTexts(codes['operator'], `${path}.operator`, operators);
  const name = codes['containerName'];
  if (name !== undefined && !names.includes(str(name))) {
    const why = 'must be one of the container or initContainer names in the pod template';
    causes.push(cause.invalid(`${path}.containerName`, name, why));
  }
  const valuesPath = `${path}.values`;
  const values = (Array.isArray(codes['values']) ? codes['values'] : []).map(Number);
  if (values.length === 0) {
    causes.push(cause.invalid(valuesPath, codes['values'] ?? null, 'at least one value is required'));
  } else if (values.length > LIMITS.values)
    causes.push(cause.tooMany(valuesPath, values.length, LIMITS.values));
  const seen = new Set<number>();
  for (const [index, code] of values.entries()) {
    if (codes['operator'] === 'In' && code === 0) {
      causes.push(cause.invalid(`${valuesPath}[${index}]`, code, 'must not be 0 for the In operator'));
    }
    if (seen.has(code)) causes.push(cause.duplicate(`${valuesPath}[${index}]`, code));
    seen.add(code);
  }
  const isOrdered = values.every((code, index) => index === 0 || (values[index - 1] ?? 0) <= code);
  return isOrdered ? causes : [...causes, cause.invalid(valuesPath, values, 'must be ordered')];
}

function conditions(patterns: readonly Rec[], path: string): Cause[] {
  const causes: Cause[] = [];
  if (patterns.length > LIMITS.rules) causes.push(cause.tooMany(path, patterns.length, LIMITS.rules));
  for (const [index, pattern] of patterns.entries()) {
    const type = str(pattern['type']);
    const problem = keyProblem(type);
    if (problem !== undefined) causes.push(cause.invalid(`${path}[${index}].type`, type, problem));
    causes.push(...oneOfTexts(pattern['status'], `${path}[${index}].status`, truths));
  }
  return causes;
}

/** `podFailurePolicy`: rules for pods that fail in certain ways. */
export const failurePolicy: Check = (value, path, spec) => {
  if (!isRec(value)) return [];
  const rulesPath = `${path}.rules`;
  const rules = recs(value['rules']);
  const pod = rec(at(spec, 'template', 'spec'));
  const names = [...recs(pod['containers']), ...recs(pod['initContainers'])].map(({ name }) => str(name));
  const causes: Cause[] =
    rules.length > LIMITS.rules ? [cause.tooMany(rulesPath, rules.length, LIMITS.rules)] : [];
  for (const [index, rule] of rules.entries()) {
    const inner = `${rulesPath}[${index}]`;
    const { action, onExitCodes } = rule;
    if (action === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined) {
      causes.push(cause.invalid(`${inner}.action`, action, 'requires the backoffLimitPerIndex to be set'));
    } else causes.push(...oneOfTexts(action, `${inner}.action`, actions));
    const patterns = recs(rule['onPodConditions']);
    if (isRec(onExitCodes)) causes.push(...exitCodes(onExitCodes, `${inner}.onExitCodes`, names));
    causes.push(...conditions(patterns, `${inner}.onPodConditions`));
    if (isRec(onExitCodes) && patterns.length > 0) {
      const why = 'specifying both OnExitCodes and OnPodConditions is not supported';
      causes.push(cause.refused(inner, why));
    } else if (!isRec(onExitCodes) && patterns.length === 0) {
      causes.push(cause.refused(inner, 'specifying one of OnExitCodes and OnPodConditions is required'));
    }
  }
  return causes;
};

/** Number of indexes that a text names ("0-2,4"), or the error in it. */
function countIndexes(text: string, completions: number): number | string {
  let last = -1;
  let total = 0;
  if (text === '') return 0;
  for (const part of text.split(',')) {
    const ends = part.split('-');
    if (ends.length > 2) {
      return `the fragment ${JSON.stringify(part)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    }
    const wrong = ends.find((end) => !/^[+]?\d+$/.test(end));
    if (wrong !== undefined) return `cannot convert string to integer for index: ${JSON.stringify(wrong)}`;
    const [first = 0, end = first] = ends.map(Number);
    for (const index of [first, end]) {
      if (index >= completions) return `too large index: ${JSON.stringify(String(index))}`;
    }
    if (first > end) return `non-increasing order, previous: ${first}, current: ${end}`;
    if (last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

function successRule(rule: Rec, path: string, completions: number): Cause[] {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  const causes: Cause[] = [];
  if (count === undefined && indexes === undefined) {
    const why = 'at least one of succeededCount or succeededIndexes must be specified';
    causes.push(cause.required(path, why));
  }
  let total = Number.POSITIVE_INFINITY;
  if (indexes !== undefined) {
    const found = countIndexes(str(indexes), completions);
    total = typeof found === 'number' ? found : 0;
    if (typeof found === 'string') {
      const why = `error parsing succeededIndexes: ${found}`;
      causes.push(cause.invalid(`${path}.succeededIndexes`, indexes, why));
    }
  }
  if (typeof count !== 'number') return causes;
  const countPath = `${path}.succeededCount`;
  if (count < 0) causes.push(cause.invalid(countPath, count, 'must be greater than or equal to 0'));
  const within = (limit: number, limitText: string) => {
    if (count > limit) {
      causes.push(cause.invalid(countPath, count, `must be less than or equal to ${limit} (${limitText})`));
    }
  };
  within(completions, 'the number of specified completions');
  within(total, 'the number of indexes in the specified succeededIndexes field');
  return causes;
}

/** `successPolicy`: rules by which a job succeeds before all of its indexes have. */
export const successPolicy: Check = (value, path, spec) => {
  if (!isRec(value)) return [];
  const rules = recs(value['rules']);
  if (spec['completionMode'] !== 'Indexed') {
    const goRules = rules.map((rule) => ({
      SucceededIndexes: rule['succeededIndexes'] ?? null,
      SucceededCount: rule['succeededCount'] ?? null,
    }));
    return [cause.invalid(path, { Rules: goRules }, byIndex)];
  }
  const rulesPath = `${path}.rules`;
  const causes: Cause[] = [];
  if (rules.length === 0) {
    const why = 'at least one rules must be specified when the successPolicy is specified';
    causes.push(cause.required(rulesPath, why));
  }
  if (rules.length > LIMITS.rules) causes.push(cause.tooMany(rulesPath, rules.length, LIMITS.rules));
  const completions = Number(spec['completions'] ?? 0);
  return [
    ...causes,
    ...rules.flatMap((rule, index) => successRule(rule, `${rulesPath}[${index}]`, completions)),
  ];
};

/** `podReplacementPolicy`: only "Failed" is allowed with a failure policy. */
export const replacementPolicy: Check = (value, path, spec) => {
  if (value === undefined) return [];
  const policies = spec['podFailurePolicy'] === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return policies.includes(str(value)) ? [] : [cause.notSupported(path, value, policies)];
};
