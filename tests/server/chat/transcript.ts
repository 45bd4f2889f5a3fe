import { appendFileSync } from 'node:fs';

/** The variable that names the file to which questions and their answers are written. */
export const transcriptVariable = 'WHEELHOUSE_TRANSCRIPT';

/** Adds a question and its answer to the transcript, where one is wanted. */
export function keepAnswer(question: string, answer: string): void {
  const file = process.env[transcriptVariable];
  if (file === undefined) return;
  const lines = answer.split('\n').map((line) => `  ${line}`);
  appendFileSync(file, `${question}\n${lines.join('\n')}\n\n`);
}
