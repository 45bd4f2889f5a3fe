import type { RouteCommand } from '../../registry/commands/command.ts';
import { paramNames } from '../../registry/path.ts';
import type { Search } from '../workspace/search.ts';

/** Reads the parameters of a route's path; what its path does not name is left out. */
export function paramsOf({ path }: Pick<RouteCommand, 'path'>) {
  const names = paramNames(path);
  return (params: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((name) => [name, textOf(params, name) ?? missing(name)]));
}

/**
 * Reads the search of a route's address: the declared values are plain strings. Others pass too, the layout among them.
 */
export function searchOf({ search = [] }: Pick<RouteCommand, 'search'>) {
  return (given: Readonly<Record<string, unknown>>): Search => {
    for (const name of search) textOf(given, name);
    return { ...given } as Search;
  };
}

/** A value that is text where it is there. @throws TypeError for anything else, which no address can be read as */
function textOf(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  if (value !== undefined && typeof value !== 'string')
    throw new TypeError(`The value ${name} of an address is no text.`);
  return value;
}

function missing(name: string): never {
  throw new TypeError(`The address has no ${name}.`);
}
