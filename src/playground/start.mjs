// The entry point of `npm run playground` and of the server's child process: plain JavaScript, so that the compile
// cache holds for all the rest. Both set V8 for a small process: it shares its machine with what it demonstrates.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache?.(fileURLToPath(new URL('../../node_modules/.cache/wheelhouse', import.meta.url)));
await import('./main.ts');
