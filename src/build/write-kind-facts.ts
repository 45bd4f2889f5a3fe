import { writeFirstFacts } from './kind-facts.ts';

// `npm run kinds`
await writeFirstFacts();
