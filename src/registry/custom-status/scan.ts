import { isPart, type Part, textIn } from './fields.ts';
import type { StatusRule } from './rule.ts';
import { ratioIn, readWord, type Saying } from './words.ts';

/** A word found in a status without a known rule. */
export interface Found {
  readonly says: Saying;
  readonly label: string;
  /**
   * The word is about a part of the object, or about its last operation: a problem there need not be one of the object.
   */
  readonly isAside: boolean;
  readonly message: string | undefined;
  /** It is an error that the status reports, which may be an earlier one if the object is healthy. */
  readonly isError?: true;
}

/** Maximum number of fields of a status, and of members of a field, that are read. */
const maxFields = 40;
/** Names of fields that hold a status word: `PostgresClusterStatus`, `jobState`, `certificateStatus`. */
const statusFieldSuffix = /(?:phase|state|status|health|stage|robustness|verdict)$/i;
/** Names of fields whose content is the status of the object itself. */
const statusPartSuffix = /(?:phase|state|status|health|stage|result)(?:s|es)?$/i;
/** Fields about a desired or earlier state do not tell the current one. */
const otherTimePrefix = /^(?:desired|target|wanted|expected|previous|prior|old|next|spec)/i;
const pastPrefix = /^(?:last|latest|recent)/i;
/** Lists of what was before, or that other rules read. */
const noMembers =
  /condition|histor|event|log|attempt|retr|backup|message|parents|ancestors|listeners|ingress/i;
/** Fields that the general rule reads already. */
const generalStatusFields: ReadonlySet<string> = new Set(['phase', 'state', 'status', 'health']);
type Tones = StatusRule['tones'];

const errorFields: ReadonlySet<string> = new Set(['error', 'errorMessage', 'errorDescription', 'errMsg']);
const nestedStatusFields = ['state', 'phase', 'status', 'health'] as const;

/** What one word says; undefined if it is unknown. */
function wordIn(value: unknown, isAside: boolean, around: object, tones: Tones): Found | undefined {
  const word = textIn(value);
  const says = word === undefined ? undefined : readWord(word, tones);
  if (word === undefined || says === undefined) return undefined;
  const { message, reason, error, errorMessage, description } = around as Part;
  const explanation = [message, reason, error, errorMessage, description].map(textIn).find(Boolean);
  return { says, label: word, isAside, message: says === 'ok' ? undefined : explanation };
}

/** The names of the fields of an object that hold a status word. */
const statusFieldsOf = (value: Part) =>
  Object.keys(value)
    .slice(0, maxFields)
    .filter((name) => statusFieldSuffix.test(name) && !otherTimePrefix.test(name));

/**
 * The words of the members of a list or a map, each of which has a status of its own.
 * @param isWhole whether together they are the status of the object: only then their health is its own
 */
function* membersOf(value: object, isWhole: boolean, tones: Tones): Generator<Found> {
  for (const member of Object.values(value).slice(0, maxFields) as readonly unknown[]) {
    if (!isPart(member)) continue;
    for (const name of statusFieldsOf(member)) {
      const found = wordIn(member[name], true, member, tones);
      if (found !== undefined && (isWhole || found.says !== 'ok')) yield found;
    }
  }
}

/** The words of an object in a status. */
function* wordsOfPart(key: string, value: Part, tones: Tones): Generator<Found> {
  const message = textIn(value['message']);
  if (key === 'error' && message !== undefined)
    yield { says: 'bad', label: 'Error', isAside: true, isError: true, message };
  // A field that is called a state has that of the object, any other that of a part.
  const isOwn = statusPartSuffix.test(key) && !pastPrefix.test(key);
  const names = isOwn ? statusFieldsOf(value) : nestedStatusFields;
  for (const name of names) {
    const found = wordIn(value[name], !isOwn || pastPrefix.test(name), value, tones);
    if (found !== undefined) yield found;
  }
  if (!noMembers.test(key)) yield* membersOf(value, isOwn, tones);
}

/**
 * The status words in fields with unusual names, the errors that a status reports, and the words of its parts. Reads
 * the status and two levels below it.
 */
export function* wordsIn(status: object, tones: Tones): Generator<Found> {
  let left = maxFields;
  for (const key in status) {
    left -= 1;
    if (left < 0) return;
    if (otherTimePrefix.test(key)) continue;
    const value = (status as Part)[key];
    if (typeof value === 'string') {
      const counts = /ready/i.test(key) ? ratioIn(value) : undefined;
      if (counts !== undefined)
        yield { says: counts[0], label: counts[1], isAside: false, message: undefined };
      if (errorFields.has(key) && value !== '')
        yield { says: 'bad', label: 'Error', isAside: true, isError: true, message: value };
      else if (!generalStatusFields.has(key) && statusFieldSuffix.test(key)) {
        const found = wordIn(value, pastPrefix.test(key), status, tones);
        if (found !== undefined) yield found;
      }
    } else if (isPart(value) && key !== 'health' && key !== 'sync') yield* wordsOfPart(key, value, tones);
    else if (Array.isArray(value) && !noMembers.test(key) && !pastPrefix.test(key))
      yield* membersOf(value, statusPartSuffix.test(key), tones);
  }
}

/** Lists of conditions below a field that is called a status: `status.podStatus.conditions`. */
export function* conditionListsIn(status: object): Generator<unknown> {
  for (const [key, value] of Object.entries(status).slice(0, maxFields) as readonly (readonly [
    string,
    unknown,
  ])[])
    if (isPart(value) && statusPartSuffix.test(key) && !otherTimePrefix.test(key) && !pastPrefix.test(key))
      yield value['conditions'];
}

/** The first message of the errors that an object or a part of it lists: `errors[0]`, `byPod[0].errors[0].message`. */
export function partErrorIn(status: object): string | undefined {
  const own = firstErrorOf(status);
  if (own !== undefined) return own;
  for (const [key, list] of Object.entries(status).slice(0, maxFields) as readonly (readonly [
    string,
    unknown,
  ])[]) {
    if (!Array.isArray(list) || noMembers.test(key) || pastPrefix.test(key)) continue;
    for (const part of list.slice(0, maxFields) as readonly unknown[]) {
      const message = firstErrorOf(part);
      if (message !== undefined) return message;
    }
  }
  return undefined;
}

function firstErrorOf(part: unknown): string | undefined {
  const errors = isPart(part) ? part['errors'] : undefined;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return textIn(isPart(first) ? first['message'] : first);
}
