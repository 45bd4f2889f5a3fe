import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { Lab } from '../playground/lab.ts';
import { apply, worldOf } from './lab-world.ts';
import { asked, judged } from './score.ts';
import { situations } from './situations.ts';
import { laterSituations } from './situations/later.ts';
import { secondSituations } from './situations/second.ts';

describe('the rules name the cause of each broken situation first, and nothing that is wrong', () => {
  test.each([...situations, ...laterSituations, ...secondSituations])('$id', (situation) => {
    const lab = new Lab();
    apply(lab.world, situation.manifests);
    lab.advance(situation.after);
    const world = worldOf(lab.world);
    const root = world.one(asked(situation.ask));
    if (root === null || root === undefined) throw new Error(`There is no ${situation.ask}.`);
    const causes = diagnose(root, world, ruleBook);
    const said = causes.map(
      ({ rule, object, sentence }) => `${rule} ${object.kind} ${object.name}: ${sentence}`,
    );
    expect(judged(causes, situation), said.join('\n')).toBe('named');
  });
});
