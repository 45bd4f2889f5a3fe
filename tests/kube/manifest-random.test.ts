import { array, constantFrom, nat, oneof, sample, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { commands } from '../../commands/index.ts';
import { renderTemplate } from '../../commands/templates/render.ts';
import { parseManifest } from '../../src/kube/manifest.ts';
import { parsedValues } from '../../src/kube/parsed-values.ts';
import { templatesOf } from '../../src/registry/commands/templates.ts';
import { rounds, seed } from '../prove.ts';

/** Fragments of YAML, mostly meaningless in sequence. */
const pieces =
  String.raw`a kind Secret data spec metadata labels name 1 0x1f 1e9 .5 ~ : [ ] { } , " ' | |- > >+ |2 # \ \n \x4
 &a *a &b *b ! !!str !!binary !<tag:x> é 😀 __proto__ constructor null true .nan`
    .split(/\s+/)
    .concat([
      ': ',
      ' ',
      '  ',
      '\n',
      '\n  ',
      '\n    ',
      '\n- ',
      '- ',
      '? ',
      '\t',
      '\r\n',
      '\r',
      '---\n',
      '...\n',
    ])
    .concat([' # note', '<<: *a', '%YAML 1.1\n', '%TAG ! x\n', '\u{2028}', '\uFEFF', '\0', '\uD800']);
const soup = array(constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''));

/** A real manifest in the middle of an edit. */
const edited = tuple(
  constantFrom(...templatesOf(commands).map(({ resource, variant }) => renderTemplate(resource, variant))),
  array(tuple(nat(), nat(12), constantFrom(...pieces)), { minLength: 1, maxLength: 6 }),
).map(([text, edits]) =>
  edits.reduce((present, [at, removed, put]) => {
    const start = at % (present.length + 1);
    return present.slice(0, start) + put + present.slice(start + removed);
  }, text),
);

/** Whether the library itself rejects a text. */
function isRejected(text: string): boolean {
  try {
    const documents = parseAllDocuments(text, { logLevel: 'error' });
    for (const one of documents) if (one.errors.length > 0 || one.toJS() === undefined) return true;
    return false;
  } catch {
    return true;
  }
}

describe('generated texts', () => {
  test.each([1, 2, 3, 4, 5])(
    'never crash, never hang, and are never valid if the library rejects them (%i of 5)',
    (part) => {
      let slowest = 0;
      const texts = sample(oneof(soup, edited), { numRuns: rounds(500, 20_000), seed: seed + part });
      for (const text of texts) {
        const start = process.cpuUsage();
        const parsed = parseManifest(text);
        // CPU time of this process, because the machine may be busy.
        slowest = Math.max(slowest, process.cpuUsage(start).user / 1_000);
        if (text.trim() === '') expect(parsed.type).toBe('empty');
        if (parsed.type !== 'valid') continue;
        if (isRejected(text)) expect.fail(`Valid, but the library rejects it: ${JSON.stringify(text)}`);
        expect(text.isWellFormed()).toBe(true);
        for (const { value } of parsed.documents) {
          parsedValues(value);
          // The value survives JSON unchanged.
          expect(JSON.parse(JSON.stringify(value))).toEqual(value);
        }
      }
      expect(slowest).toBeLessThan(1_000);
    },
  );
});
