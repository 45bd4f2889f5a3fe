/** A text that is not JSON; the message is that of Go's encoding/json. */
export class JsonError extends Error {}

const end = 'unexpected end of JSON input';
const space = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literals = ['true', 'false', 'null'];

/** Scans a text like Go's decoder to find the error in it and the duplicate keys of its objects. */
class Scanner {
  readonly #text: string;
  #at = 0;
  /** Paths of duplicate keys ("metadata.labels"). */
  readonly duplicates: string[] = [];
  /** Paths of all keys, in order of occurrence. */
  readonly keys: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value('');
    this.#skip();
    if (this.#at < this.#text.length) this.#wrong('after top-level value');
  }

  #skip(): void {
    space.lastIndex = this.#at;
    space.test(this.#text);
    this.#at = space.lastIndex;
  }

  #wrong(where: string): never {
    const found = this.#text[this.#at];
    if (found === undefined) throw new JsonError(end);
    const printedCharacter =
      found === "'" ? `'\\''` : found === '"' ? `'"'` : `'${JSON.stringify(found).slice(1, -1)}'`;
    throw new JsonError(`invalid character ${printedCharacter} ${where}`);
  }

  #value(path: string): void {
    this.#skip();
    switch (this.#text[this.#at]) {
      case '{':
        this.#object(path);
        return;
      case '[':
        this.#list(path);
        return;
      case '"':
        this.#string();
        return;
      case undefined:
      default:
        this.#scalar();
    }
  }

  #scalar(): void {
    const first = this.#text[this.#at] ?? '';
    const literal = literals.find((word) => word[0] === first);
    if (literal !== undefined) {
      for (const letter of literal) {
        if (this.#text[this.#at] !== letter) this.#wrong(`in literal ${literal} (expecting '${letter}')`);
        this.#at += 1;
      }
      return;
    }
    number.lastIndex = this.#at;
    if (!/[-\d]/.test(first)) this.#wrong('looking for beginning of value');
    if (number.test(this.#text)) {
      this.#at = number.lastIndex;
      return;
    }
    this.#at += 1;
    this.#wrong('in numeric literal');
  }

  #string(): string {
    const start = this.#at;
    for (this.#at += 1; ; this.#at += 1) {
      const letter = this.#text[this.#at];
      if (letter === undefined) throw new JsonError(end);
      if (letter === '"') break;
      if (letter < ' ') this.#wrong('in string literal');
      if (letter === '\\') {
        this.#at += 1;
        if (!/["\\/bfnrtu]/.test(this.#text[this.#at] ?? '')) this.#wrong('in string escape code');
      }
    }
    this.#at += 1;
    return this.#text.slice(start + 1, this.#at - 1);
  }

  #object(path: string): void {
    const seen = new Set<string>();
    this.#at += 1;
    this.#skip();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] !== '"') this.#wrong('looking for beginning of object key string');
      const key = this.#string();
      const inner = path === '' ? key : `${path}.${key}`;
      if (seen.has(key)) this.duplicates.push(inner);
      seen.add(key);
      this.keys.push(inner);
      this.#skip();
      if (this.#text[this.#at] !== ':') this.#wrong('after object key');
      this.#at += 1;
      this.#value(inner);
      this.#skip();
      const next = this.#text[this.#at];
      if (next !== ',' && next !== '}') this.#wrong('after object key:value pair');
      this.#at += 1;
      if (next === '}') return;
    }
  }

  #list(path: string): void {
    this.#at += 1;
    this.#skip();
    if (this.#text[this.#at] === ']') {
      this.#at += 1;
      return;
    }
    for (let index = 0; ; index++) {
      this.#value(`${path}[${index}]`);
      this.#skip();
      const next = this.#text[this.#at];
      if (next !== ',' && next !== ']') this.#wrong('after array element');
      this.#at += 1;
      if (next === ']') return;
    }
  }
}

/** Parses JSON. Throws JsonError with Go's message. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    new Scanner(text).document();
    throw new JsonError(end);
  }
}

function scanned(text: string): Scanner {
  const scanner = new Scanner(text);
  try {
    scanner.document();
  } catch {
    // The scanner has already refused invalid JSON.
  }
  return scanner;
}

/** Paths of the duplicate keys of a JSON text, in order of occurrence. */
export function duplicateKeys(text: string): readonly string[] {
  return [...new Set(scanned(text).duplicates)];
}

/**
 * The messages of Go's strict decoder about a JSON text, in order of occurrence: unknown fields (their paths in
 * `unknown`) and duplicate ones. It does not look inside unknown fields.
 */
export function fieldMistakes(text: string, unknown: readonly string[]): string[] {
  const { keys, duplicates } = scanned(text);
  if (duplicates.length === 0 && unknown.length < 2)
    return unknown.map((field) => `unknown field "${field}"`);
  const strange = new Set(unknown);
  const inside = (path: string) =>
    unknown.some((field) => path.startsWith(`${field}.`) || path.startsWith(`${field}[`));
  const duplicateSet = new Set(duplicates);
  const seen = new Set<string>();
  const found: string[] = [];
  for (const path of keys) {
    if (strange.has(path)) found.push(`unknown field "${path}"`);
    else if (duplicateSet.has(path) && seen.has(path) && !inside(path))
      found.push(`duplicate field "${path}"`);
    seen.add(path);
  }
  return [...new Set(found)];
}
