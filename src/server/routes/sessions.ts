import type { sessionEndpoints } from '../../contract/sessions.ts';
import { OwnSessions } from '../access/own-sessions.ts';
import type { Handlers } from '../http/handlers.ts';
import type { RouteParts } from './parts.ts';

/** The own sessions. */
export function sessionHandlers({
  store,
  config,
  clock,
}: Pick<RouteParts, 'store' | 'config' | 'clock'>): Handlers<typeof sessionEndpoints> {
  const own = new OwnSessions(store, clock, new Map(config.providers.map(({ key, label }) => [key, label])));
  return {
    ownSessions: (_request, { person }) => own.list(person),
    endOwnSession: async ({ params }, { person }) => {
      await own.end(person, params.sessionId);
      return undefined;
    },
    endOtherSessions: async (_request, { person }) => {
      await own.endOthers(person);
      return undefined;
    },
  };
}
