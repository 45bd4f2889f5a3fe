import { textBefore } from '../../../registry/kinds/change-text.ts';
import type { ArgDefinition, ArgDefinitions, Facts } from '../../../registry/kinds/kind-action.ts';

/** One line of a form of labels or annotations. */
export interface MapRow {
  /** Stable while the form is open. */
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

/** The value of an argument's field. */
export type FieldValue = string | readonly MapRow[];
export type Fields = Readonly<Record<string, FieldValue>>;

/** The initial values of a form. */
export interface FormBasis {
  /** Facts of the one object that is acted on; empty for several. */
  readonly facts: Facts;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A basis of nothing, for actions on several objects. */
export const noBasis: FormBasis = { facts: {}, labels: {}, annotations: {} };

/** The texts of a fact, one of which an argument is. */
export function membersOf(fact: string, { facts }: FormBasis): readonly string[] {
  const value = facts[fact];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function initialOf(
  definition: ArgDefinition,
  definitions: ArgDefinitions,
  basis: FormBasis,
  given: Readonly<Record<string, unknown>>,
): FieldValue {
  switch (definition.type) {
    case 'number': {
      const value = definition.from === undefined ? undefined : basis.facts[definition.from];
      return typeof value === 'number' ? String(value) : String(definition.initial ?? '');
    }
    case 'choice':
      return definition.default;
    case 'map':
      return Object.entries(basis[definition.of]).map(([key, value], id) => ({ id, key, value }));
    case 'text':
      return textBefore(definition, definitions, {
        facts: basis.facts,
        chosen: (name) => {
          const along = definitions[name];
          if (name in given || along === undefined) return given[name];
          return initialOf(along, definitions, basis, given);
        },
      });
    case 'member':
      return membersOf(definition.of, basis)[0] ?? '';
    case 'revision':
      return '';
    default: {
      const never: never = definition;
      return never;
    }
  }
}

/** The field value of an argument that was given already. */
function givenField(definition: ArgDefinition, value: unknown, basis: FormBasis): FieldValue {
  if (definition.type !== 'map') return String(value);
  const changes = value as Readonly<Record<string, string | null>>;
  const merged = { ...basis[definition.of], ...changes };
  return Object.entries(merged).flatMap(([key, one], id) => (one === null ? [] : [{ id, key, value: one }]));
}

/** The initial values of a form's fields. */
export function initialFields(
  definitions: ArgDefinitions,
  basis: FormBasis,
  given: Readonly<Record<string, unknown>> = {},
): Fields {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      name in given
        ? givenField(definition, given[name], basis)
        : initialOf(definition, definitions, basis, given),
    ]),
  );
}

/** A form after one field was changed: a text that belongs to a member follows it, unless somebody wrote in it. */
export function changedFields(
  definitions: ArgDefinitions,
  basis: FormBasis,
  fields: Fields,
  [name, value]: readonly [name: string, value: FieldValue],
): Fields {
  const next = { ...fields, [name]: value };
  const before = (from: Fields, definition: Extract<ArgDefinition, { readonly type: 'text' }>) =>
    textBefore(definition, definitions, { facts: basis.facts, chosen: (one) => from[one] });
  for (const [other, definition] of Object.entries(definitions)) {
    if (definition.type !== 'text' || definition.along !== name) continue;
    if (fields[other] === before(fields, definition)) next[other] = before(next, definition);
  }
  return next;
}

/** A form as read: the arguments, or what is wrong with each field. */
export type ReadForm =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly issues: Readonly<Record<string, string>> };

type ReadField = { readonly value: unknown } | { readonly issue: string };

/**
 * The changes of a map: the new value of each key, null for a removed one. Several objects have no common initial map,
 * so every line counts as a change.
 */
function readMap(base: Readonly<Record<string, string>>, rows: readonly MapRow[], what: string): ReadField {
  const given = rows.filter(({ key, value }) => key.trim() !== '' || value !== '');
  const keys = given.map(({ key }) => key.trim());
  if (keys.includes('')) return { issue: 'A value has no key.' };
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) return { issue: `${twice} appears twice.` };
  const changes: Record<string, string | null> = {};
  for (const { key, value } of given) if (base[key.trim()] !== value) changes[key.trim()] = value;
  for (const key of Object.keys(base)) if (!keys.includes(key)) changes[key] = null;
  return Object.keys(changes).length === 0 ? { issue: `Change at least one ${what}.` } : { value: changes };
}

function readField(definition: ArgDefinition, field: FieldValue | undefined, basis: FormBasis): ReadField {
  const text = typeof field === 'string' ? field.trim() : '';
  switch (definition.type) {
    case 'number': {
      const { label, min, max } = definition;
      const value = Number(text);
      return /^\d+$/.test(text) && value >= min && value <= max
        ? { value }
        : { issue: `${label} must be a whole number from ${min} to ${max}.` };
    }
    case 'revision':
      return /^[1-9]\d*$/.test(text) ? { value: Number(text) } : { issue: 'Choose a revision.' };
    case 'choice':
      return definition.options.some(({ value }) => value === text)
        ? { value: text }
        : { issue: `Choose ${definition.label.toLowerCase()}.` };
    case 'member':
      return text === '' ? { issue: `${definition.label} is missing.` } : { value: text };
    case 'text': {
      const { label, pattern, help } = definition;
      if (pattern !== undefined && !new RegExp(pattern).test(text))
        return { issue: help ?? `${label} is not valid.` };
      return { value: text };
    }
    case 'map':
      return readMap(
        basis[definition.of],
        typeof field === 'object' ? field : [],
        definition.of === 'labels' ? 'label' : 'annotation',
      );
    default: {
      const never: never = definition;
      return never;
    }
  }
}

/** Reads a form; the server checks the same again. */
export function readFields(definitions: ArgDefinitions, fields: Fields, basis: FormBasis): ReadForm {
  const args: Record<string, unknown> = {};
  const issues: Record<string, string> = {};
  for (const [name, definition] of Object.entries(definitions)) {
    const read = readField(definition, fields[name], basis);
    if ('issue' in read) issues[name] = read.issue;
    else args[name] = read.value;
  }
  return Object.keys(issues).length === 0 ? { ok: true, args } : { ok: false, issues };
}

/** Whether arguments are what the one object has already: numbers and texts that its facts prefill. False without such arguments. */
export function isSameAs(
  definitions: ArgDefinitions,
  args: Readonly<Record<string, unknown>>,
  basis: FormBasis,
): boolean {
  const before = initialFields(definitions, basis);
  const prefilled = Object.entries(definitions).filter(
    ([name, one]) =>
      (one.type === 'number' || one.type === 'text') && one.from !== undefined && before[name] !== '',
  );
  if (prefilled.length === 0) return false;
  // A text may belong to a member, which was chosen meanwhile.
  const after = initialFields(definitions, basis, membersIn(definitions, args));
  return prefilled.every(([name]) => String(args[name]) === after[name]);
}

const membersIn = (definitions: ArgDefinitions, args: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => definitions[name]?.type === 'member'));

/**
 * Whether the fields of a form are shown once more, old and new value, before they are sent: texts and numbers that replace
 * others. `S3` and Enter, typed into a list, would scale otherwise.
 */
export const isReviewedArg = (definitions: ArgDefinitions): boolean =>
  Object.values(definitions).some(
    (one) => (one.type === 'text' || one.type === 'number') && one.from !== undefined,
  );
