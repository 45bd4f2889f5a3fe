import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cleanText } from '../../kube/text.ts';
import { decodeData } from './certificates.ts';

/** Who chose the file: a person pasted it, or the operator of this server named it, whose files may be read too. */
export type Origin =
  | { readonly kind: 'pasted' }
  | { readonly kind: 'operator' /** Folder that relative paths start from. */; readonly directory: string };

/** How to turn paths into data, for people. */
export const flatten = 'kubectl config view --flatten --raw --minify prints a file with everything in it.';

/** A name from a file, fit for a sentence: no control characters, at most 100 characters. */
export function shownName(text: string): string {
  const clean = cleanText(text).replace(/\s+/g, ' ').trim();
  return clean.length > 100 ? `${clean.slice(0, 99)}…` : clean;
}

/** Whether a value is a mapping. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads the fields of one mapping by name and remembers which were asked for, so that the rest can be refused.
 * Values are never quoted in a refusal; they may be secrets.
 */
export interface FieldReader {
  has(name: string): boolean;
  names(): readonly string[];
  /** The value as it is, without taking it. */
  raw(name: string): unknown;
  /** A text of one visible line; absent, null and empty are undefined. Another type is refused. */
  text(name: string): string | undefined;
  /** A text of any characters, for who judges them: PEM, secrets, what is for a program. */
  lines(name: string): string | undefined;
  flag(name: string): boolean | undefined;
  texts(name: string): readonly string[] | undefined;
  mapping(name: string): FieldReader | undefined;
  list(name: string): readonly unknown[] | undefined;
  /** PEM from the …-data field; the path field beside it is refused, or read when the operator chose the file. */
  pem(dataField: string, pathField: string, origin: Origin): string | undefined;
  /** Takes a field without using it. */
  ignore(name: string): void;
  /** Adds a sentence that keeps this entry from being used. */
  refuse(sentence: string): void;
  hasRefused(): boolean;
  /** Refuses every field that was not asked for. */
  refuseRest(): void;
}

/**
 * @param where put before each refusal, e.g. `user "admin": `
 * @param refusals receives the sentences
 */
export function readFields(value: Record<string, unknown>, where: string, refusals: string[]): FieldReader {
  const taken = new Set<string>();
  const refuse = (sentence: string) => {
    refusals.push(`${where}${sentence}`);
  };
  const take = (name: string): unknown => {
    taken.add(name);
    // Own properties only: a file may name a field "constructor".
    return Object.hasOwn(value, name) ? value[name] : undefined;
  };
  const typed = <T>(name: string, test: (found: unknown) => found is T, what: string): T | undefined => {
    const found = take(name);
    if (found === undefined || found === null) return undefined;
    if (test(found)) return found;
    refuse(`${name} must be ${what}.`);
    return undefined;
  };
  const lines = (name: string) =>
    typed(name, (found): found is string => typeof found === 'string', 'a text') || undefined;
  // A value that is shown, logged or sent in a header. The URL parser, for one, silently drops line breaks.
  const text = (name: string) => {
    const found = lines(name);
    if (
      found === undefined ||
      (!/[\r\n\t]/.test(found) && cleanText(found) === found && found.isWellFormed())
    )
      return found;
    refuse(`${name} has control or other invisible characters. Remove them.`);
    return undefined;
  };

  const reader: FieldReader = {
    has: (name) => Object.hasOwn(value, name) && value[name] !== null && value[name] !== '',
    names: () => Object.keys(value),
    raw: (name) => (Object.hasOwn(value, name) ? value[name] : undefined),
    text,
    lines,
    flag: (name) => typed(name, (found): found is boolean => typeof found === 'boolean', 'true or false'),
    texts: (name) =>
      typed(
        name,
        (found): found is string[] =>
          Array.isArray(found) && found.every((item) => typeof item === 'string' && item !== ''),
        'a list of texts',
      ),
    list: (name) => typed(name, (found): found is unknown[] => Array.isArray(found), 'a list'),
    mapping(name) {
      const found = typed(name, isMapping, 'a mapping');
      return found === undefined ? undefined : readFields(found, `${where}${name}: `, refusals);
    },
    pem(dataField, pathField, origin) {
      const data = lines(dataField);
      const path = text(pathField);
      if (data !== undefined) {
        if (/^(REDACTED|DATA\+OMITTED)$/.test(data.trim())) {
          refuse(`${dataField} was left out of this copy. ${flatten}`);
          return undefined;
        }
        const decoded = decodeData(data);
        if (decoded === undefined) refuse(`${dataField} is not base64.`);
        return decoded;
      }
      if (path === undefined) return undefined;
      if (origin.kind === 'pasted') {
        refuse(
          `${pathField} is a path, and the console reads no files. Embed it as ${dataField}: ${flatten}`,
        );
        return undefined;
      }
      try {
        return readFileSync(resolve(origin.directory, path), 'utf8');
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
        refuse(`${pathField} cannot be read (${code}).`);
        return undefined;
      }
    },
    ignore(name) {
      taken.add(name);
    },
    refuse,
    hasRefused: () => refusals.length > 0,
    refuseRest() {
      for (const name of Object.keys(value)) {
        if (taken.has(name) || value[name] === null) continue;
        // A secret that slipped into the place of a name is not repeated.
        const shown = /^[a-z_][A-Za-z_-]{0,40}$/.test(name) ? name : 'A name with other characters';
        refuse(`${shown} is not a field the console accepts. Remove it.`);
      }
    },
  };
  return reader;
}
