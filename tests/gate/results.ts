import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The root of the checkout. */
export const root = resolve(import.meta.dirname, '../..');

/** Folder of what the last run of the gate measured. */
export const resultsFolder = join(root, 'node_modules/.cache/wheelhouse-gate');

/** The halves of the gate that run test files. */
export type Runner = 'unit' | 'e2e';

/** Environment variable by which the gate asks its runners for their times, in files of the results' folder. */
export const timesVariable = 'GATE_TIMES';

/** A test, a file or a try of a journey that failed. */
export interface Failure {
  readonly title: string;
  /** Begin of the error's message in one line, without terminals' colours. */
  readonly message: string;
}

/** Number of a message's characters that are kept. */
const keptCharacters = 240;

/** Failure of a title by an error's message. */
export function failureOf(title: string, message: string): Failure {
  const line = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim();
  return { title, message: line.slice(0, keptCharacters) };
}

/** Times of one runner, in ms, and its failures. */
export interface RunTimes {
  /** By the path of the file from the root. */
  readonly files: Readonly<Record<string, number>>;
  readonly tests: readonly { readonly title: string; readonly ms: number }[];
  readonly failures: readonly Failure[];
}

/** Writes what a runner measured, where the gate asked for it. */
export function writeTimes(runner: Runner, times: RunTimes): void {
  if (process.env[timesVariable] === undefined) return;
  writeResult(`${runner}.json`, times);
}

/** Writes a file into the results' folder. */
export function writeResult(name: string, content: unknown): void {
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(join(resultsFolder, name), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Reads a file of the results' folder; undefined where no run has written it. */
export function readResult(name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(resultsFolder, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** What both runners measured in the last run, as far as they were run. */
export function readTimes(): readonly RunTimes[] {
  return ['unit.json', 'e2e.json'].flatMap((name) => (readResult(name) as RunTimes | undefined) ?? []);
}
