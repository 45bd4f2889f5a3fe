import { kindById } from '../data/kinds.ts';
import { splitHref } from '../../registry/path.ts';
import type { Registry } from '../../registry/registry.ts';
import { parseSearch, stringifySearch } from './search.ts';

/** The address of a list for one namespace, or for all; undefined for what is no list of objects with a namespace. */
export function namespaceHref(
  registry: Registry,
  href: string,
  namespace: string | undefined,
): string | undefined {
  const match = registry.match(href);
  const kind = match?.command.kind === undefined ? undefined : kindById(match.command.kind);
  if (kind?.scope !== 'Namespaced' || match?.command.shows !== 'list') return undefined;
  const { pathname, search } = splitHref(href);
  return pathname + stringifySearch({ ...parseSearch(search), ns: namespace });
}
