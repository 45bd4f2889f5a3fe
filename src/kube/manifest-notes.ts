import { type Document, isMap, isPair, isScalar, isSeq, type LineCounter, type Scalar } from 'yaml';
import { hasSecret } from './secret-text.ts';
import { resolveScalar } from './yaml/scalar.ts';
import { keyOfScalar } from './yaml/scalar-node.ts';

/** Maximum number of notes for a document. */
const maxNotes = 10;
/** Maximum length of a quoted word, in characters. */
const maxWordLength = 40;

/** Fields that contain file permissions. */
const modeFields: ReadonlySet<unknown> = new Set(['defaultMode', 'mode']);

/** A parsed document and its source. */
interface Read {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly value: unknown;
  /** Offsets of merge keys that override earlier entries of their map. */
  readonly replacing: readonly number[];
}

/**
 * Notes with line numbers about values that kubectl reads differently from their appearance. For documents with a
 * Secret the notes quote nothing.
 */
export function notesOf({ document, lines, value, replacing }: Read): readonly string[] {
  const found = new Map<number, string>();
  const note = (offset: number | undefined, text: string | undefined) => {
    const { line } = lines.linePos(offset ?? 0);
    if (text !== undefined && !found.has(line)) found.set(line, text);
  };
  let quoted: boolean | undefined;
  const isQuoted = () => (quoted ??= !hasSecret(value));
  for (const { pos, code } of document.warnings)
    if (code === 'TAG_RESOLVE_FAILED') note(pos[0], 'this tag means nothing to a cluster and is left out.');
  for (const offset of replacing)
    note(
      offset,
      '<< replaces the same keys that are written before it, as with kubectl. Write << first to keep them.',
    );
  const waiting: unknown[] = [document.contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isPair(node)) {
      const { key, value: held } = node;
      waiting.push(key, held);
      if (isScalar(key)) note(key.range?.[0], keyNote(key, isQuoted));
      if (isScalar(held)) {
        note(held.range?.[0], scalarNote(held, isQuoted));
        if (isScalar(key) && modeFields.has(key.value)) note(held.range?.[0], modeNote(held, isQuoted));
      }
    } else if (isMap(node) || isSeq(node)) {
      for (const item of node.items as unknown[]) {
        waiting.push(item);
        if (isScalar(item)) note(item.range?.[0], scalarNote(item, isQuoted));
      }
    }
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .slice(0, maxNotes)
    .map(([line, text]) => `Line ${line}: ${text}`);
}

const inQuotes = 'Put it in quotes if you mean text.';

function scalarNote({ type, tag, value, source = '' }: Scalar, isQuoted: () => boolean): string | undefined {
  if (type !== 'PLAIN' || tag !== undefined) return undefined;
  if (typeof value === 'string' || value === null || Object.is(value, coreValue(source))) return undefined;
  const word = source.length <= maxWordLength && isQuoted() ? source : undefined;
  if (typeof value === 'boolean') {
    return word === undefined
      ? `yes, no, on, off, y and n are sent as true or false. ${inQuotes}`
      : `${word} is sent as ${value}. ${inQuotes}`;
  }
  if (typeof value !== 'number') return undefined;
  const isOctal = /^[-+]?0[0-7_]+$/.test(source);
  if (word === undefined)
    return isOctal
      ? 'a number that begins with 0 is octal and is sent as such.'
      : `this is sent as a number. ${inQuotes}`;
  return isOctal ? `${word} is octal and is sent as ${value}.` : `${word} is sent as the number ${value}.`;
}

function keyNote(key: Scalar, isQuoted: () => boolean): string | undefined {
  const { type, tag, source = '' } = key;
  if (type !== 'PLAIN' || tag !== undefined || typeof key.value === 'string') return undefined;
  const found = keyOfScalar(key);
  if (!('value' in found) || found.value === source) return undefined;
  return source.length <= maxWordLength && isQuoted()
    ? `the key ${source} is sent as "${found.value}". ${inQuotes}`
    : `this key is sent as another text than is written. ${inQuotes}`;
}

/** Detects a decimal number that was meant as an octal mode: as a decimal it is no usual file mode. */
function modeNote({ type, value, source = '' }: Scalar, isQuoted: () => boolean): string | undefined {
  if (type !== 'PLAIN' || typeof value !== 'number' || !/^[1-7][0-7]{2}$/.test(source)) return undefined;
  if (isUsualMode(value)) return undefined;
  const mode = value.toString(8).padStart(4, '0');
  return isQuoted()
    ? `${source} is mode ${mode}. For mode 0${source} write 0${source}.`
    : 'this mode is a decimal number. Write 0 before octal digits.';
}

/**
 * Whether a mode is usual for files: the owner may read; group and others have all, read and execute, read, or none of
 * the owner's permissions; and others at most the group's.
 */
function isUsualMode(mode: number): boolean {
  const [owner, group, others] = [mode >> 6, (mode >> 3) & 7, mode & 7];
  const allowed = [0, owner, owner & 5, owner & 4];
  return owner >= 4 && owner <= 7 && allowed.includes(group) && allowed.includes(others) && others <= group;
}

const coreInteger = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const coreFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** The value of a plain scalar in YAML 1.2, which is what people commonly expect. */
function coreValue(source: string): unknown {
  if (coreInteger.test(source) || coreFloat.test(source)) return Number(source);
  const { value } = resolveScalar(source);
  return value === null || /^(?:true|false)$/i.test(source) ? value : source;
}
