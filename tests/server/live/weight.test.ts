import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../../../src/server/live/source/projector.ts';
import { weightGained, weightOf } from '../../../src/server/live/source/weight.ts';
import { proof } from '../../prove.ts';

fc.configureGlobal(proof());

const text = fc.string({ maxLength: 20 });
const anyEntry: fc.Arbitrary<Entry> = fc.record({
  uid: text,
  name: text,
  namespace: text,
  version: text,
  labels: fc.dictionary(text, text, { maxKeys: 3 }),
  owners: fc.constant([]),
  refs: fc.array(text, { maxLength: 3 }),
  links: fc.option(fc.record({ targets: fc.array(text, { maxLength: 2 }), selects: text }), {
    nil: undefined,
  }),
  facts: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 3 }),
  attention: fc.constant(undefined),
  cells: fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { maxLength: 5 }),
});

test('what an entry gains on the one before is the difference of their weights', () => {
  fc.assert(
    fc.property(anyEntry, anyEntry, fc.boolean(), (next, previous, isSameCells) => {
      const now = isSameCells ? { ...next, cells: previous.cells } : next;
      expect(weightGained(now, previous)).toBe(weightOf(now) - weightOf(previous));
    }),
  );
});
