import type { PlaygroundOptions } from '../../../src/playground/server.ts';
import { startPlayground } from '../../../src/playground/server.ts';

/** A playground in a process of its own, which a test may stop and kill: starts by the options that it is sent. */
process.once('message', (options: PlaygroundOptions) => {
  void startPlayground(options).then(({ port }) => process.send?.({ port }));
});
// Nothing of it outlives the test.
process.once('disconnect', () => process.exit(0));
