import { parseExactJson } from '../../kube/exact-json.ts';

/** Bytes of a list's items that are parsed at a time, and characters that are encoded: about a millisecond's work. */
const stepBytes = 64 * 1024;
/** Elements from which a list is written in steps. */
const manyElements = 50;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The place of a list's `items` in its text, in bytes: where they begin, where each may be parted, and where they end. */
interface ItemsPlace {
  /** After the opening bracket. */
  readonly begin: number;
  /** At the closing bracket. */
  readonly end: number;
  /** Commas between items, each about `stepBytes` after the one before. */
  readonly parts: readonly number[];
}

/**
 * Parses the JSON of a cluster like `parseExactJson`. The items of a list are parsed some at a time, and each pause
 * lets others work. Throws SyntaxError for what is no JSON.
 */
export function* parseInSteps(bytes: Buffer): Generator<void, unknown> {
  const place = bytes.length > 2 * stepBytes ? yield* itemsPlace(bytes) : undefined;
  if (place === undefined) return parseExactJson(bytes.toString('utf8'));
  const before = bytes.toString('utf8', 0, place.begin);
  const rest = parseExactJson(`${before}${bytes.toString('utf8', place.end)}`);
  const items: unknown[] = [];
  let from = place.begin;
  for (const to of [...place.parts, place.end]) {
    const some = parseExactJson(`[${bytes.toString('utf8', from, to)}]`) as unknown[];
    // A comma with nothing after it: every part has an item.
    if (some.length === 0) throw new SyntaxError('An item is missing in a list.');
    items.push(...some);
    from = to + 1;
    yield;
  }
  return { ...(rest as object), items };
}

/** Finds the items of a list, undefined in a text without any or with one step of them. */
function* itemsPlace(bytes: Buffer): Generator<void, ItemsPlace | undefined> {
  let depth = 0;
  let begin: number | undefined;
  let next = 0;
  let pause = stepBytes * 4;
  const parts: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfText(bytes, at);
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (begin === undefined && depth === 2 && byte === openBracket && isItems(bytes, at)) {
        begin = at + 1;
        next = begin + stepBytes;
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 1 && begin !== undefined)
        return parts.length === 0 ? undefined : { begin, end: at, parts };
    } else if (byte === comma && depth === 2 && begin !== undefined && at >= next) {
      parts.push(at);
      next = at + stepBytes;
    }
    if (at < pause) continue;
    pause = at + stepBytes * 4;
    yield;
  }
  return undefined;
}

/** The closing quote of the text that begins here; the end of the bytes where it has none. */
function endOfText(bytes: Buffer, begin: number): number {
  for (let at = begin + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return bytes.length;
}

/** Whether the bracket here opens the value of a key `items`. */
function isItems(bytes: Buffer, bracket: number): boolean {
  return /"items"\s*:\s*$/.test(bytes.toString('latin1', Math.max(0, bracket - 32), bracket));
}

/**
 * Writes an object like `JSON.stringify`, as bytes of UTF-8, with a pause after each element of its long lists: as one text
 * an answer would be copied, measured and encoded whole.
 */
export function* stringifyInSteps(value: object): Generator<void, Buffer> {
  const written = new Utf8();
  let before = '{';
  for (const [key, one] of Object.entries(value) as [string, unknown][]) {
    const text = hasManyElements(one) ? undefined : (JSON.stringify(one) as string | undefined);
    if (text === undefined && !hasManyElements(one)) continue;
    written.add(`${before}${JSON.stringify(key)}:${text ?? ''}`);
    if (hasManyElements(one)) yield* writeList(one, written);
    before = ',';
  }
  written.add(before === '{' ? '{}' : '}');
  return written.bytes();
}

function* writeList(list: readonly unknown[], written: Utf8): Generator<void, void> {
  let before = '[';
  for (const one of list) {
    written.add(before);
    written.add(JSON.stringify(one) ?? 'null');
    before = ',';
    yield;
  }
  written.add(']');
}

/** Text that is encoded piece by piece. */
class Utf8 {
  readonly #pieces: Buffer[] = [];
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= stepBytes) this.#encode();
  }

  bytes(): Buffer {
    this.#encode();
    return Buffer.concat(this.#pieces);
  }

  #encode(): void {
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** Whether an object has a list so long that it is written in steps. */
export function hasLongList(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).some(hasManyElements)
  );
}

function hasManyElements(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= manyElements;
}
