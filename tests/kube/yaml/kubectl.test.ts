import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Manifest, parseManifest } from '../../../src/kube/manifest.ts';
import { cases } from './cases.ts';

const answer = z.union([
  z.object({ about: z.string(), yaml: z.string(), error: z.string() }),
  z.object({ about: z.string(), yaml: z.string(), documents: z.array(z.record(z.string(), z.unknown())) }),
]);
const recorded = z.object({
  recordedBy: z.string(),
  command: z.string(),
  programs: z.array(z.string()).min(1),
  cases: z.array(answer),
});
const file = join(import.meta.dirname, 'recorded.gen.json');
const table = recorded.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Texts that kubectl reads, silently keeping one of two values, and the console rejects. */
const refusedHere = new Map<string, unknown>([
  ['a: 1\na: 2\n', expect.stringContaining('Map keys must be unique at line 2, column 1')],
  ['a: {b: 1, b: 2}\n', expect.stringContaining('Map keys must be unique at line 1, column 11')],
]);
/** Rules that YAML 1.2 took from JSON, which kubectl applies only to texts that begin with a brace. */
const readHere = new Map<string, unknown>([[String.raw`a: "a\/b"` + '\n', [{ a: 'a/b' }]]]);

describe('the recorded answers of kubectl about YAML', () => {
  test('the table has each of the cases, at least 60', () => {
    expect(table.cases.length).toBeGreaterThanOrEqual(60);
    expect(table.cases.map(({ about, yaml }) => ({ about, yaml }))).toEqual(cases);
  });

  test.each(table.cases)('$about: $yaml', (one) => {
    const parsed = parseManifest(one.yaml);
    if (refusedHere.has(one.yaml))
      expect(parsed).toMatchObject({ type: 'invalid', message: refusedHere.get(one.yaml) });
    else if ('error' in one && !readHere.has(one.yaml)) expect(parsed.type).toBe('invalid');
    else expect(fieldsOf(parsed)).toEqual('error' in one ? readHere.get(one.yaml) : one.documents);
  });
});

/** The fields of each document beside the object's name. */
function fieldsOf(parsed: Manifest): unknown {
  if (parsed.type !== 'valid') return parsed;
  const documents = JSON.parse(JSON.stringify(parsed.documents.map(({ value }) => value))) as Record<
    string,
    unknown
  >[];
  return documents.map(({ apiVersion: _version, kind: _kind, metadata: _metadata, ...rest }) => rest);
}
