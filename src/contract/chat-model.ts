import * as z from 'zod/mini';
import { chatModes } from './chat.ts';
import { endpoint } from './endpoint.ts';

/** How a provider of models is spoken to. */
export const modelProviders = ['openai-compatible', 'anthropic'] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** Where Anthropic answers, unless another address is entered. */
export const anthropicAddress = 'https://api.anthropic.com/v1';

/** Tokens of a model that a person, and all people of a company, may use on a day (UTC), unless an Owner says else. */
export const tokenLimits = { person: 300_000, company: 3_000_000 } as const;
/** The highest limit that an Owner may set. */
export const highestTokenLimit = 1_000_000_000;

/** Data of a cluster that an Owner may keep from the model. */
export const dataClasses = ['configMapValues', 'arguments', 'logLines', 'annotations'] as const;
export type DataClass = (typeof dataClasses)[number];

const text = z.string();
const count = z.int();
const limit = z.nullable(z.int().check(z.minimum(0), z.maximum(highestTokenLimit)));

/** The model of the chats of a company, as its Owners see it. The key is never shown again. */
export const chatModelSchema = z.object({
  /** What an Owner entered; null where nobody did. */
  entered: z.nullable(
    z.object({
      provider: z.enum(modelProviders),
      baseUrl: text,
      model: text,
      /** When the key was entered and by whom (null for somebody who is gone); null without a key. */
      key: z.nullable(z.object({ setAt: text, setBy: z.nullable(text) })),
    }),
  ),
  /** What the environment of the console names: it answers where nothing is entered. */
  environment: z.nullable(z.object({ provider: z.enum(modelProviders), origin: text, model: text })),
  /** Limits of tokens a day, null where the defaults hold, and what was used today (UTC). */
  personLimit: limit,
  companyLimit: limit,
  usedToday: z.object({
    company: count,
    /** The ten who used most. */
    people: z.array(z.object({ name: text, used: count })),
  }),
  /** Data that the model is not told, by the choice of an Owner. */
  withheld: z.array(z.enum(dataClasses)),
  /** Who answers in the chat of each cluster. */
  clusters: z.array(z.object({ id: count, name: text, chatMode: z.enum(chatModes) })),
});
export type ChatModel = z.infer<typeof chatModelSchema>;

const path = '/api/organization/chat-model';

/** The model that answers in the chats of one company, for its Owners. */
export const chatModelEndpoints = {
  chatModel: endpoint({
    method: 'GET',
    path,
    summary: 'The model of the organisation’s chats, the data that it receives, and today’s usage',
    access: 'owner',
    response: chatModelSchema,
    failure: 'Failed to fetch the model of the chats',
  }),
  saveChatModel: endpoint({
    method: 'PUT',
    path,
    summary: 'Sets the model of the organisation’s chats, which replaces the operator’s',
    audited: 'set the model of the chats[ to {model}]',
    access: 'owner',
    proof: 'recent',
    perMinute: 30,
    body: z.strictObject({
      provider: z.enum(modelProviders),
      baseUrl: z.string().check(z.trim(), z.minLength(1, 'Enter the address.'), z.maxLength(500)),
      model: z.string().check(z.trim(), z.minLength(1, 'Enter the name of the model.'), z.maxLength(200)),
      /** Null removes the key; without it the stored one stays, and is asked for anew where the address is another. */
      apiKey: z.optional(
        z.nullable(z.string().check(z.trim(), z.minLength(1, 'Enter the key.'), z.maxLength(2_000))),
      ),
    }),
    response: chatModelSchema,
    failure: 'Failed to save the model of the chats',
  }),
  removeChatModel: endpoint({
    method: 'DELETE',
    path,
    summary:
      'Removes the organisation’s model and its key; the operator’s model answers again, if there is one',
    audited: 'remove the organisation’s model of the chats',
    access: 'owner',
    proof: 'recent',
    response: chatModelSchema,
    failure: 'Failed to remove the model of the chats',
  }),
  setChatBudget: endpoint({
    method: 'PUT',
    path: `${path}/budget`,
    summary: 'Sets how many tokens each person, and the whole organisation, can use per day',
    audited: 'set the budget of the chats',
    access: 'owner',
    perMinute: 30,
    body: z.strictObject({ personLimit: limit, companyLimit: limit }),
    response: chatModelSchema,
    failure: 'Failed to save the limits',
  }),
  setChatData: endpoint({
    method: 'PUT',
    path: `${path}/data`,
    summary: 'Sets which data of clusters the model of the organisation’s chats does not receive',
    audited: 'set which data the model of the chats does not receive',
    access: 'owner',
    proof: 'recent',
    perMinute: 30,
    body: z.strictObject({
      withheld: z.array(z.enum(dataClasses)).check(z.maxLength(dataClasses.length)),
    }),
    response: chatModelSchema,
    failure: 'Failed to save the data that the model receives',
  }),
  testChatModel: endpoint({
    method: 'POST',
    path: `${path}/test`,
    summary: 'Sends one small request to the current model and returns the result',
    audited: 'test the model of the chats[, {model}]',
    isRoutine: true,
    access: 'owner',
    perMinute: 30,
    response: z.object({ ok: z.boolean(), sentence: text }),
    failure: 'Failed to test the model of the chats',
  }),
} as const;
