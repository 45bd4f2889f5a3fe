/**
 * Stands in for zod where the built page imports the contract: declarations run and make nothing. Whoever tries to
 * validate with one of them is told so.
 */
const nothing: unknown = new Proxy(() => nothing, {
  get: (_target, name) => {
    if (name === 'parse' || name === 'safeParse' || name === 'parseAsync' || name === 'safeParseAsync') {
      return () => {
        throw new Error('The page has no schemas of the contract: the server validates.');
      };
    }
    return nothing;
  },
  apply: () => nothing,
});

export const z = nothing;
