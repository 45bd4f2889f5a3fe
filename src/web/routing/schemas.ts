import * as z from 'zod/mini';
import type { RouteCommand } from '../../registry/command.ts';
import { paramNames } from '../../registry/path.ts';
import type { Search } from '../workspace/search.ts';

// The page's policy forbids code made of text, which the library would use to be quicker.
z.config({ jitless: true });

/** Makes a value when it is first asked for: a page opens few of its routes. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Reads the parameters of a route's path, which are plain strings. */
export function paramsOf({ path }: Pick<RouteCommand, 'path'>) {
  const schema = lazily(() =>
    z.object(Object.fromEntries(paramNames(path).map((name) => [name, z.string()]))),
  );
  return (params: Readonly<Record<string, string>>) => schema().parse(params);
}

/**
 * Reads the search of a route's address: the declared values are plain strings. Others pass too, the layout among them.
 */
export function searchOf({ search = [] }: Pick<RouteCommand, 'search'>) {
  const schema = lazily(() => {
    const text = z.optional(z.string());
    return z.looseObject(Object.fromEntries(search.map((name) => [name, text])));
  });
  return (given: Readonly<Record<string, unknown>>) => schema().parse(given) as Search;
}
