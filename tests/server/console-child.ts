import { openConsole } from '../../src/server/boot/console.ts';
import { readConfig } from '../../src/server/kit/config.ts';

/** A server in a process of its own, configured by its environment alone: says at which address it listens. */
const { config, problems } = readConfig(process.env);
if (config === null) throw new Error(problems.join(' '));
const console = await openConsole(config, { build: 'test-build', pageDir: null });
process.send?.({ address: console.address });
process.once('SIGTERM', () => void console.close().then(() => process.exit(0)));
// Nothing of it outlives the test.
process.once('disconnect', () => process.exit(0));
