import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { faultsOf } from './conformance.ts';
import { judgedRecording, recordedSituations, recordedWorld } from './recorded.ts';

/** The findings about what somebody asks about first. */
async function causesOf(situation: (typeof recordedSituations)[number]) {
  const { world, root } = await recordedWorld(situation);
  if (root === undefined) throw new Error(`${situation.id} has no such object.`);
  return { world, causes: diagnose(root, world, ruleBook) };
}

describe('of what a real Kubernetes wrote the cause is named first, and nothing that is untrue', () => {
  test.each(recordedSituations)('$id: $title', async (situation) => {
    const { causes } = await causesOf(situation);
    const sentences = causes.map(({ sentence }) => sentence);
    expect(judgedRecording(situation, sentences), sentences.join('\n')).toBe('named');
  });
});

describe('each piece of evidence is found again where it says', () => {
  test.each(recordedSituations)('$id', async (situation) => {
    const { world, causes } = await causesOf(situation);
    expect(causes.flatMap((cause) => faultsOf(cause, world))).toEqual([]);
  });
});
