import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { wrapLanguageModel } from 'ai';
import { eq } from 'drizzle-orm';
import { type DataClass, dataClasses, modelProviders, tokenLimits } from '../../contract/chat-model.ts';
import { AddressRefused, createPublicGuard } from '../clusters/address.ts';
import type { ModelSettings } from '../kit/config-values.ts';
import { chatModels } from '../store/schema/chat.ts';
import { chatModelContext } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { guardFor } from '../webhooks/address.ts';
import { type ModelPolicy, isPortAllowed } from './model-address.ts';
import { createModelFetch } from './model-fetch.ts';

/** A provider's own model, never a bare name: that would be asked of somebody else. */
export type ProviderModel = Parameters<typeof wrapLanguageModel>[0]['model'];

/** A model that answers, and where what it is told goes. */
export interface AnsweringModel {
  readonly model: ProviderModel;
  readonly name: string;
  readonly origin: string;
}

/** Tokens that a person, and all people of their company, may use on a day. */
export interface TokenLimits {
  readonly person: number;
  readonly company: number;
}

export interface ChatModelsParts {
  readonly store: Pick<Store, 'db'>;
  readonly vault: Pick<Vault, 'open'>;
  /** The model of the environment; null without one. */
  readonly ai: ModelSettings | null;
  /** What the operator allows besides public addresses. */
  readonly modelPolicy: ModelPolicy;
}

/** Which model answers in the chats of a company: the one that an Owner entered, else the one of the environment. */
export class ChatModels {
  readonly #parts: ChatModelsParts;

  constructor(parts: ChatModelsParts) {
    this.#parts = parts;
  }

  /** The model of a company, read anew: all servers use what was entered at once. Undefined where rules answer alone. */
  async of(companyId: number): Promise<AnsweringModel | undefined> {
    const { vault, ai, modelPolicy } = this.#parts;
    const row = await this.#row(companyId);
    const entered = row === undefined ? undefined : enteredOf(row);
    if (row === undefined || entered === undefined) {
      if (ai === null) return undefined;
      const send = createModelFetch(createPublicGuard([]), ai.baseUrl);
      return answeringBy(ai, async (target, init) => {
        // As below: once an Owner entered a model, the one of the environment is told nothing more.
        const now = await this.#row(companyId);
        if (now !== undefined && enteredOf(now) !== undefined) throw new ModelChanged();
        return await send(target, init);
      });
    }
    const apiKey = row.apiKey === null ? null : vault.open(row.apiKey, chatModelContext(row.id));
    const send = createModelFetch(guardFor(entered.baseUrl, modelPolicy));
    return answeringBy({ ...entered, apiKey }, async (target, init) => {
      // Each step of an answer asks again: what an Owner took away is told nothing more.
      if ((await this.#row(companyId))?.changedAt !== row.changedAt) throw new ModelChanged();
      // The operator may allow less than when it was entered.
      if (!isPortAllowed(entered.baseUrl, modelPolicy))
        throw new AddressRefused(entered.baseUrl.host, 'a port that is not listed');
      return await send(target, init);
    });
  }

  /** How the model of a company is called and where it is; null where the rules answer alone. */
  async named(companyId: number): Promise<Pick<AnsweringModel, 'name' | 'origin'> | null> {
    const row = await this.#row(companyId);
    const named = (row === undefined ? undefined : enteredOf(row)) ?? this.#parts.ai;
    return named === null ? null : { name: named.model, origin: named.baseUrl.origin };
  }

  /** What may be used on a day in a company. Of the environment's model, which the operator pays, never above the default. */
  async limits(companyId: number): Promise<TokenLimits> {
    const row = await this.#row(companyId);
    const person = row?.tokensPerPerson ?? tokenLimits.person;
    const company = row?.tokensPerCompany ?? tokenLimits.company;
    if (row !== undefined && enteredOf(row) !== undefined) return { person, company };
    return {
      person: Math.min(person, tokenLimits.person),
      company: Math.min(company, tokenLimits.company),
    };
  }

  /** Data that the model of a company is not told. */
  async withheld(companyId: number): Promise<ReadonlySet<DataClass>> {
    return new Set(withheldOf(await this.#row(companyId)));
  }

  async #row(companyId: number): Promise<ModelRow | undefined> {
    const { db } = this.#parts.store;
    const [row] = await db.select().from(chatModels).where(eq(chatModels.companyId, companyId));
    return row;
  }
}

/** An Owner changed the model while it answered. */
export class ModelChanged extends Error {}

export type ModelRow = typeof chatModels.$inferSelect;

/** What an Owner entered of a model; undefined where nothing is. */
export function enteredOf({
  provider,
  baseUrl,
  model,
}: ModelRow): Pick<ModelSettings, 'provider' | 'baseUrl' | 'model'> | undefined {
  const known = modelProviders.find((one) => one === provider);
  if (known === undefined || baseUrl === null || model === null) return undefined;
  return { provider: known, baseUrl: new URL(baseUrl), model };
}

/** Data that an Owner keeps from the model. */
export const withheldOf = (row: Pick<ModelRow, 'withheld'> | undefined): DataClass[] =>
  dataClasses.filter((one) => row?.withheld.includes(one) === true);

function answeringBy(
  { provider, baseUrl, model, apiKey }: ModelSettings,
  send: typeof globalThis.fetch,
): AnsweringModel {
  const baseURL = baseUrl.href.replace(/\/$/, '');
  const answering =
    provider === 'anthropic'
      ? // Without any the library would look for a key in its own variable of the environment.
        createAnthropic({ name: 'model', baseURL, apiKey: apiKey ?? '', fetch: send })(model)
      : createOpenAICompatible({
          name: 'model',
          baseURL,
          ...(apiKey === null ? {} : { apiKey }),
          includeUsage: true,
          fetch: send,
        })(model);
  return { model: answering, name: model, origin: baseUrl.origin };
}
