import { writeCalls } from './calls.ts';
import { writeFirstCommands } from './first-commands.ts';
import { writeFirstFacts } from './kind-facts.ts';
import { writePolicy } from './policy.ts';

// `npm run first`
await writeCalls();
await writeFirstFacts();
await writeFirstCommands();
await writePolicy();
