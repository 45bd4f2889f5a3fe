import { describe, expect, test } from 'vitest';
import { kinds } from '../../commands/kinds/index.ts';
import { type Cause, diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { nextStepOf, nextSteps, stepKeyOf } from '../../src/server/diagnosis/next-steps/next-steps.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { broken } from './broken.ts';
import { answersOf, recordedSituations, secondHandSituations } from './recorded.ts';
import { situationTables } from './situations.ts';

/** Rules without a declaration in a kind or the book: of kinds without a file, and of what a finalizer holds. */
const general = ['custom.trouble', 'object.deletion-held'];

const ids = [
  ...new Set([
    ...ruleBook.rules.map(({ id }) => id),
    ...kinds.flatMap(({ rules = [] }) => rules),
    ...general,
  ]),
].sort();

describe('each finding names its next step, or the table says why it has none', () => {
  test.each(ids)('%s', (id) => {
    const key = stepKeyOf(id);
    expect(key, `${id} has no entry`).toBeDefined();
    const step = nextSteps[key ?? ''];
    const text = typeof step === 'string' ? step : step?.none;
    // One sentence or two, that fit below a sentence of 200 characters.
    expect(text).toMatch(/^[A-Z].{8,160}[.?]$/);
  });

  test('and the table has no entry that no rule uses', () => {
    const used = new Set(ids.map(stepKeyOf));
    expect(Object.keys(nextSteps).filter((key) => !used.has(key))).toEqual([]);
  });
});

describe('a finding whose rule has no step of its own contains the step', () => {
  const says = /(?:^|[.!:;] |: )(?:Build|Check|Create|Delete|Get|Install|Lower|See|Set|start)\b/;
  const faults = (causes: readonly Cause[]) =>
    causes
      .filter(({ rule }) => nextStepOf(rule) === undefined)
      .map(({ sentence, detail = '' }) => `${sentence} ${detail}`)
      .filter((text) => !says.test(text));

  test.each(situationTables.flatMap(({ table }) => table))('$id', async (situation) => {
    const { world, root } = await broken(situation);
    expect(faults(diagnose(root, world, ruleBook))).toEqual([]);
  });

  test.each([...recordedSituations, ...secondHandSituations])('$id: $title', async (situation) => {
    const { answers } = await answersOf(situation);
    expect(faults(answers.flat())).toEqual([]);
  });
});
