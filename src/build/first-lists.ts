import type { HtmlTagDescriptor, Plugin } from 'vite';
import { firstLists } from '../../commands/kinds/first-lists.ts';
import { firstListsId, type FirstLists } from '../contract/first-lists.ts';

/** The element of the page's HTML that holds the lists. JSON is data: no browser runs it, whatever the security policy. */
export function firstListsTag(lists: FirstLists): HtmlTagDescriptor {
  return {
    tag: 'script',
    attrs: { type: 'application/json', id: firstListsId },
    // No text of the data may end the element.
    children: JSON.stringify(lists).replaceAll('<', '\\u003c'),
    injectTo: 'head',
  };
}

/**
 * Writes what asking for a first list takes into the page's HTML, in development as in production. `app/early.ts` asks for
 * the rows of the address while the rest of the page still loads; the kinds' own code would make it 40 KB larger.
 */
export function firstListsInPage(): Plugin {
  return {
    name: 'first-lists-in-page',
    transformIndexHtml: { order: 'post', handler: () => [firstListsTag(firstLists)] },
  };
}
