import { writeCalls } from './calls.ts';
import { writeFirstCommands } from './first-commands.ts';
import { writeFacts } from './kind-facts.ts';
import { writePolicy } from './policy.ts';

// `npm run first`
await writeCalls();
await writeFacts();
await writeFirstCommands();
await writePolicy();
