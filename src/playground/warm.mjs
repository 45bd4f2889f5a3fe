// Reads every source of the playground once, so that they are in the compile cache: see start.mjs, which has it print
// the usage (`--help`) and nothing more.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache?.(fileURLToPath(new URL('../../node_modules/.cache/wheelhouse', import.meta.url)));
await import('./main.ts');
await import('./exec/upgrade.ts');
await import('./openapi/swagger.ts');
module.flushCompileCache?.();
process.exit(0);
