// Imported before anything else of the server, for the sake of its start alone: all of it runs the same without.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** What was compiled at an earlier start is read from here; files that changed since are compiled anew. */
const compiled = fileURLToPath(new URL('../../node_modules/.cache/wheelhouse', import.meta.url));

module.enableCompileCache(compiled);
// drizzle-orm's ESM build re-exports in cycles, which takes Node half a second and 30 MB to link; its CommonJS build is
// the same code.
module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('drizzle-orm')
      ? next(specifier, { ...context, conditions: ['node', 'require'] })
      : next(specifier, context),
});
