import { parentPort } from 'node:worker_threads';
import { parseManifest } from '../../kube/manifest.ts';
import type { ParseAnswer, ParseRequest } from './parse-thread.ts';
import { hasMoreTokens } from './tokens.ts';

// Parses what it is sent, one text after another.
const say = (answer: ParseAnswer) => parentPort?.postMessage(answer, []);
parentPort?.on('message', ({ text, tokens }: ParseRequest) => {
  if (hasMoreTokens(text, tokens)) say({ type: 'too-many-tokens' });
  else say({ type: 'parsed', manifest: parseManifest(text) });
});
say({ type: 'ready' });
