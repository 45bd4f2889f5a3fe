import { startPlayground } from '../../src/playground/server.ts';
import { json } from './client.ts';
import { unrecorded } from './unrecorded.ts';
import { Names, recording, replay } from './replay.ts';

/** Prints where the playground differs from the recordings: `node tests/playground/report.ts [topic] [-v]`. */
const topics = [
  'discovery',
  'objects',
  'defaults',
  'lists',
  'patches',
  'watches',
  'custom-resources',
  'access',
  'subresources',
];
const wanted = process.argv.find((argument) => topics.includes(argument));
const verbose = process.argv.includes('-v');
const playground = await startPlayground({ seed: 'none' });
const names = new Names();
for (const topic of topics) {
  let equal = 0;
  const exchanges = recording(topic);
  for (const exchange of exchanges) {
    const before = unrecorded[`${topic}: ${exchange.name}`];
    if (before !== undefined) await json(playground, 'POST', before.path, before.body);
    const differences = await replay(playground, exchange, names);
    if (differences.length === 0) equal += 1;
    else if (verbose && (wanted === undefined || wanted === topic)) {
      process.stdout.write(`-- ${topic}: ${exchange.name}\n`);
      for (const { path, recorded, ours } of differences.slice(0, 8)) {
        process.stdout.write(
          `   ${path}\n      recorded ${JSON.stringify(recorded)?.slice(0, 300)}\n      ours     ${JSON.stringify(ours)?.slice(0, 300)}\n`,
        );
      }
    }
  }
  process.stdout.write(`${topic}: ${equal} of ${exchanges.length}\n`);
}
await playground.close();
