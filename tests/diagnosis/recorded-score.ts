import { faultsOf } from './conformance.ts';
import { answersOf, judgedRecording, type RecordedSituation } from './recorded.ts';

/** The score of recorded situations. */
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

/** Sentences of an answer that have a word which is not so, or that are said of a healthy situation. */
function untrueIn({ expect, wrong }: RecordedSituation, sentences: readonly string[]): readonly string[] {
  return expect.length === 0
    ? sentences
    : sentences.filter((text) => wrong.some((pattern) => new RegExp(pattern, 'i').test(text)));
}

/** Asks the rules about each of some recorded situations. @param write gets one line for each, and what else was said */
export async function scoreRecorded(
  situations: readonly RecordedSituation[],
  write: (line: string) => void,
): Promise<RecordedScore> {
  const score = { broken: 0, named: 0, untrue: 0, healthy: 0, alarms: 0, faults: [] as string[] };
  for (const situation of situations) {
    const { world, answers } = await answersOf(situation);
    const result = judgedRecording(situation, answers);
    const isHealthy = situation.expect.length === 0;
    if (isHealthy) {
      score.healthy += 1;
      score.alarms += result === 'named' ? 0 : 1;
    } else {
      score.broken += 1;
      score.named += result === 'named' ? 1 : 0;
      score.untrue += result === 'untrue' ? 1 : 0;
    }
    const causes = answers.flat();
    score.faults.push(...causes.flatMap((cause) => faultsOf(cause, world)));
    write(`  ${result.padEnd(7)}${situation.id.padEnd(28)}${answers[0]?.[0]?.sentence ?? 'nothing'}`);
    if (result !== 'named') for (const { rule, sentence } of causes) write(`    ${rule}: ${sentence}`);
    for (const sentence of untrueIn(
      situation,
      causes.map((one) => one.sentence),
    ))
      write(`    untrue: ${sentence}`);
  }
  return score;
}
