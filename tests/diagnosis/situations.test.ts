import { describe, expect, test } from 'vitest';
import { type Cause, diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { Lab } from '../playground/lab.ts';
import { apply, worldOf } from './lab-world.ts';
import { asked, isAt } from './score.ts';
import { laterSituations, situations } from './situations.ts';

const told = (causes: readonly Cause[]) =>
  causes.map(({ rule, object, sentence }) => `${rule} ${object.kind} ${object.name}: ${sentence}`);

describe('the rules name the cause of each broken situation first, and nothing that is wrong', () => {
  test.each([...situations, ...laterSituations])('$id', (situation) => {
    const lab = new Lab();
    apply(lab.world, situation.manifests);
    lab.advance(situation.after);
    const world = worldOf(lab.world);
    const root = world.one(asked(situation.ask));
    if (root === null || root === undefined) throw new Error(`There is no ${situation.ask}.`);
    const [first, ...others] = diagnose(root, world, ruleBook);
    expect(told(first === undefined ? [] : [first]).join()).toMatch(new RegExp(`^${situation.rule} `));
    expect(first?.sentence).toMatch(situation.names);
    expect(isAt(first, situation.object)).toBe(true);
    expect(first?.evidence.length).toBeGreaterThan(0);
    expect(told(others.filter(({ rule }) => situation.besides?.includes(rule) !== true))).toEqual([]);
  });
});
