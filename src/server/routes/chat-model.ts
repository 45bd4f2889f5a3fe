import type { ChatModel, chatModelEndpoints } from '../../contract/chat-model.ts';
import { Problem } from '../../contract/problem.ts';
import { CompanyModel } from '../chat/company-model.ts';
import { testModel } from '../chat/model-test.ts';
import { MeteredModel } from '../chat/metered-model.ts';
import { TokenLedger } from '../chat/token-ledger.ts';
import type { Handlers } from '../http/handlers.ts';
import { describeError } from '../kit/describe-error.ts';
import type { RouteParts } from './parts.ts';

/** The model of a company’s chats, set up by its Owners. */
export function chatModelHandlers({
  config: { ai, modelPolicy },
  store,
  vault,
  chat: { models },
}: Pick<RouteParts, 'config' | 'store' | 'vault' | 'chat'>): Handlers<typeof chatModelEndpoints> {
  const company = new CompanyModel({ store, vault, ai, modelPolicy });
  const ledger = new TokenLedger(store.db);
  return {
    chatModel: (_request, { person }) => company.read(person),
    async saveChatModel({ body }, { person, audit }) {
      const { provider, model, apiKey } = body;
      const credential = apiKey === undefined ? 'kept' : apiKey === null ? 'removed' : 'entered';
      audit.subject({ provider, model, credential });
      const before = await company.read(person);
      await company.save(person, body);
      const after = await company.read(person);
      audit.changed(
        { ...factsOf(before), path: 'kept' },
        {
          ...factsOf(after),
          credential,
          path: pathOf(before) === pathOf(after) ? 'kept' : 'changed',
        },
      );
      return after;
    },
    async removeChatModel(_request, { person, audit }) {
      const before = await company.read(person);
      await company.remove(person);
      const after = await company.read(person);
      audit.changed(factsOf(before), factsOf(after));
      return after;
    },
    async setChatBudget({ body }, { person, audit }) {
      audit.subject(body);
      const before = await company.read(person);
      await company.limit(person, body);
      const after = await company.read(person);
      audit.changed(factsOf(before), factsOf(after));
      return after;
    },
    async setChatData({ body }, { person, audit }) {
      audit.subject({ withheld: body.withheld.join(', ') });
      const before = await company.read(person);
      await company.withhold(person, body.withheld);
      const after = await company.read(person);
      audit.changed(factsOf(before), factsOf(after));
      return after;
    },
    async testChatModel(_request, { person, signal, audit, log }) {
      const answering = await models.of(person.companyId).catch((error: unknown) => {
        log.error({ err: describeError(error) }, 'The model of a chat cannot be used');
        const title =
          'The stored key cannot be decrypted: it was encrypted with another key. Enter it again.';
        throw new Problem({ status: 409, title });
      });
      if (answering === undefined)
        throw new Problem({ status: 409, title: 'There is no model to test: enter one first.' });
      audit.subject({ model: answering.name, origin: answering.origin });
      const metered = new MeteredModel({
        model: answering.model,
        ledger,
        person,
        limits: () => models.limits(person.companyId),
        log,
      });
      try {
        return await testModel({ ...answering, model: metered.model }, signal, log);
      } finally {
        await metered.close();
      }
    },
  };
}

/** The path of the address, which may be a secret: the audit tells only that it is another. */
const pathOf = ({ entered }: ChatModel): string | undefined =>
  entered === null ? undefined : new URL(entered.baseUrl).pathname.replace(/\/$/, '');

/** What the audit tells of it: of the address the host alone, and never the key. */
function factsOf({ entered, personLimit, companyLimit, withheld }: ChatModel) {
  return {
    provider: entered?.provider ?? null,
    origin: entered === null ? null : new URL(entered.baseUrl).origin,
    model: entered?.model ?? null,
    credential: entered === null || entered.key === null ? 'none' : 'set',
    personLimit,
    companyLimit,
    withheld: withheld.join(', '),
  };
}
