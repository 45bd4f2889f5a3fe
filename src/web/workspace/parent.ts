import { splitHref } from '../../registry/path.ts';
import type { Registry } from '../../registry/commands/registry.ts';
import { parseSearch, stringifySearch } from './search.ts';

/**
 * Path of the page that a page belongs to: of a view of an object the object, of an object its list, of a team or member
 * the list of them. Undefined for lists and other pages, which belong to none.
 */
export function parentOf(registry: Registry, href: string): string | undefined {
  const { pathname, search } = splitHref(href);
  const { view, ns, q } = parseSearch(search);
  const match = registry.match(pathname);
  if (match === undefined) return undefined;
  const { command: own, params } = match;
  if (view !== undefined) return `${pathname}${stringifySearch(own.shows === 'list' ? { ns, q } : {})}`;
  // A cluster is a place of its own, as a list is.
  const isOfOne = own.path
    .split('/')
    .slice(3)
    .some((part) => part.startsWith(':'));
  if (!isOfOne || own.shows === 'list') return undefined;
  const list = `${own.kind ?? ''}.list`;
  if (own.shows === 'object' && registry.has(list)) return registry.href(list, params);
  const parts = pathname.split('/');
  for (let length = parts.length - 1; length > 2; length -= 1) {
    const path = parts.slice(0, length).join('/');
    // Lists of objects have no namespace in their path, though objects do.
    const found = [path, path.replace(/\/namespaces\/[^/]+(?=\/)/, '')].find(
      (one) => registry.match(one) !== undefined,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
