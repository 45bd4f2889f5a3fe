import { writeFirstCommands } from './first-commands.ts';
import { writeFirstFacts } from './kind-facts.ts';

// `npm run first`
await writeFirstFacts();
await writeFirstCommands();
