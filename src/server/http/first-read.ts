import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { firstLists } from '../../../commands/kinds/first-lists.ts';
import { firstListAt } from '../../contract/first-lists.ts';
import { Problem } from '../../contract/problem.ts';
import { isMember } from '../access/person.ts';
import type { Sessions } from '../access/sessions.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import type { Hub } from '../live/page/hub.ts';
import type { SessionCookies } from './cookies.ts';

interface FirstReadParts {
  readonly sessions: Pick<Sessions, 'find'>;
  readonly cookies: Pick<SessionCookies, 'read'>;
  readonly hub: Pick<Hub, 'readAhead'>;
  readonly log: Logger;
}

/**
 * Begins to read what an address shows when its page is asked for: reading a large list takes longer than the page takes
 * to load and to subscribe. Who asks, and whether they may, is looked up first, as for the subscription.
 * Never throws: the page asks again, and is told what is wrong.
 */
export function createFirstRead(parts: FirstReadParts): (request: FastifyRequest) => Promise<void> {
  const { sessions, cookies, hub, log } = parts;
  return async (request) => {
    const { pathname } = new URL(request.url, 'http://page');
    const clusterId = Number(/^\/clusters\/([1-9]\d{0,8})(?:\/|$)/.exec(pathname)?.[1]);
    const token = cookies.read(request);
    if (Number.isNaN(clusterId) || token === undefined || request.method !== 'GET') return;
    try {
      const person = await sessions.find(token);
      if (!isMember(person)) return;
      const kind = firstListAt(pathname, firstLists)?.kind;
      await onBehalfOf(person.id, () => hub.readAhead(person, clusterId, kind));
    } catch (error) {
      // What may not be read, or is not there, is no failure of the page.
      if (!(error instanceof Problem))
        log.warn({ err: error, clusterId }, 'A first list could not be read ahead');
    }
  };
}
