import { describe, expect, test } from 'vitest';
import { faultsOf } from './conformance.ts';
import { answersOf, judgedRecording, recordedSituations, secondHandSituations } from './recorded.ts';

const all = [...recordedSituations, ...secondHandSituations];

describe('of what others wrote the cause is named first, nothing that is untrue, and nothing of what is well', () => {
  test.each(all)('$id: $title', async (situation) => {
    const { answers } = await answersOf(situation);
    const said = answers.flat().map(({ sentence }) => sentence);
    expect(judgedRecording(situation, answers), said.join('\n')).toBe('named');
  });
});

describe('each piece of evidence is found again where it says', () => {
  test.each(all)('$id', async (situation) => {
    const { world, answers } = await answersOf(situation);
    expect(answers.flat().flatMap((cause) => faultsOf(cause, world))).toEqual([]);
  });
});
