import type { tokenEndpoints } from '../../contract/tokens.ts';
import type { Handlers } from '../http/handlers.ts';
import { Tokens } from '../organisation/tokens.ts';
import type { RouteParts } from './parts.ts';

/** Personal API tokens. */
export function tokenHandlers({
  store,
  grants,
  clock,
}: Pick<RouteParts, 'store' | 'grants' | 'clock'>): Handlers<typeof tokenEndpoints> {
  const tokens = new Tokens(store, grants, clock);
  return {
    ownTokens: (_request, { person }) => tokens.own(person),
    async createToken({ body }, { person, audit }) {
      const { name, scopes, clusterIds, expiresInDays } = body;
      audit.subject({
        name,
        scopes: scopes.join(', '),
        clusterIds: clusterIds === null ? 'all' : clusterIds.join(', '),
        expiresInDays,
      });
      const answer = await tokens.create(person, body);
      audit.subject({ tokenId: answer.made.id });
      return answer;
    },
    async revokeToken({ params }, { person, audit }) {
      audit.subject({ name: (await tokens.named(person, params.tokenId)).name });
      await tokens.revokeOwn(person, params.tokenId);
      return undefined;
    },
    memberTokens: (_request, { person }) => tokens.ofCompany(person),
    async revokeMemberToken({ params }, { person, audit }) {
      audit.subject({ ...(await tokens.named(person, params.tokenId)) });
      await tokens.revokeOfCompany(person, params.tokenId);
      return undefined;
    },
  };
}
