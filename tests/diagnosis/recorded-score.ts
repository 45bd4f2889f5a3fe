import { diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { faultsOf } from './conformance.ts';
import { judgedRecording, recordedSituations, recordedWorld } from './recorded.ts';

/** The score of the recorded situations. */
interface RecordedScore {
  readonly broken: number;
  readonly named: number;
  /** Broken situations of which something is said that is not so. */
  readonly untrue: number;
  readonly healthy: number;
  /** Healthy situations of which anything is said. */
  readonly alarms: number;
  /** Evidence that is not found where it says. */
  readonly faults: readonly string[];
}

/** Asks the rules about each recorded situation. @param write gets one line for each, and what else was said */
export async function scoreRecorded(write: (line: string) => void): Promise<RecordedScore> {
  const score = { broken: 0, named: 0, untrue: 0, healthy: 0, alarms: 0, faults: [] as string[] };
  for (const situation of recordedSituations) {
    const { world, root } = await recordedWorld(situation);
    const causes = root === undefined ? [] : diagnose(root, world, ruleBook);
    const sentences = causes.map(({ sentence }) => sentence);
    const result = judgedRecording(situation, sentences);
    const isHealthy = situation.expect.length === 0;
    if (isHealthy) {
      score.healthy += 1;
      score.alarms += result === 'named' ? 0 : 1;
    } else {
      score.broken += 1;
      score.named += result === 'named' ? 1 : 0;
      score.untrue += result === 'untrue' ? 1 : 0;
    }
    score.faults.push(...causes.flatMap((cause) => faultsOf(cause, world)));
    write(`  ${result.padEnd(7)}${situation.id.padEnd(26)}${sentences[0] ?? 'nothing'}`);
    if (result !== 'named') for (const { rule, sentence } of causes) write(`    ${rule}: ${sentence}`);
  }
  return score;
}
