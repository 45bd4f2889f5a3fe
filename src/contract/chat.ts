import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { creationSchema, evidenceSchema } from './diagnosis.ts';
import { endpoint } from './endpoint.ts';
import { kubeObjectSchema, refSchema } from './objects.ts';

/** Who answers in the chat of a cluster: the rules and a model, the rules alone, or nobody. */
export const chatModes = ['model', 'rules', 'off'] as const;

/** Characters of a question, and of the title of a conversation. */
export const questionLimit = 4_000;
export const titleLimit = 120;
/** Conversations that one person may have on a cluster. */
export const conversationLimit = 200;
/** Turns of one page of a conversation. */
export const turnPageSize = 20;

const text = z.string();
const count = z.int();

/** What an answer is made of. Each part has a number in its answer, and is stored. */
export const chatPartSchema = z.discriminatedUnion('type', [
  /** A whole sentence, or a block of a model’s text. */
  z.object({
    type: z.literal('text'),
    by: z.enum(['rules', 'model']),
    text,
    /** Ids of the evidence that it stands on; a sentence of a model without any is shown as having none. */
    cites: z.array(text),
    /** Names, counts and states of a model's sentence that are nowhere in the evidence that it cites. */
    unproven: z.optional(z.array(text)),
    /** It goes on in the line of the sentence before. */
    continues: z.optional(z.literal(true)),
    tone: z.optional(z.enum(['info', 'warn', 'bad'])),
    /** The object that it is about. */
    object: z.optional(refSchema),
    /** Actions that help and that the person might run. */
    actions: z.optional(z.array(z.object({ id: text, refs: z.array(refSchema) }))),
    /** The next step, as a sentence. */
    next: z.optional(text),
    /** Objects to look at next, to edit, and missing ones to create: those that the reader may view, edit and create. */
    opens: z.optional(z.array(refSchema)),
    edits: z.optional(z.array(refSchema)),
    creates: z.optional(z.array(creationSchema)),
  }),
  /** A tool begins to read something, said in words. */
  z.object({ type: z.literal('tool.started'), id: text, tool: text, about: text }),
  /** What it came to, as a sentence. */
  z.object({ type: z.literal('tool.done'), id: text, ok: z.boolean(), summary: text }),
  /** Something that sentences after it stand on. */
  z.object({ type: z.literal('evidence'), id: text, evidence: evidenceSchema }),
  /** Who a stand-in in the sentences of a model means, such as `person 482913`: it was told no address. */
  z.object({ type: z.literal('person'), id: text, address: text }),
  /** A change that the person may run as an ordinary action. */
  z.object({
    type: z.literal('proposal'),
    id: z.uuid(),
    action: text,
    title: text,
    refs: z.array(refSchema),
    args: z.record(z.string(), z.unknown()),
    /**
     * What its dry run said of each object, and for the first ones the object before and after, redacted: without what
     * is too large, and null where the change would take it away.
     */
    outcomes: z.array(
      z.object({
        ref: refSchema,
        ok: z.boolean(),
        message: text,
        change: z.nullable(text),
        difference: z.optional(z.object({ before: kubeObjectSchema, after: z.nullable(kubeObjectSchema) })),
      }),
    ),
    expiresAt: text,
    /** Why it may be an order of a text of the cluster, a sentence that names that text. */
    warning: z.optional(text),
  }),
  /** Whether a proposal was taken up. */
  z.object({ type: z.literal('decision'), proposal: z.uuid(), decision: z.literal('taken') }),
  /** Something to know about the answer, a whole sentence. */
  z.object({ type: z.literal('notice'), text }),
  /** Tokens of the model that the answer took. */
  z.object({ type: z.literal('usage'), read: count, written: count }),
  /** The last part. Its text says why, where the answer did not end by itself. */
  z.object({
    type: z.literal('end'),
    state: z.enum(['done', 'stopped', 'interrupted', 'failed']),
    text: z.nullable(text),
  }),
]);
export type ChatPart = z.infer<typeof chatPartSchema>;

/** A part with its number, from 1 in its answer. */
export const numberedPartSchema = z.object({ number: count, part: chatPartSchema });
export type NumberedPart = z.infer<typeof numberedPartSchema>;

/** A question and its answer, as far as whoever reads it may see what it tells of. */
export const chatTurnSchema = z.object({
  id: z.uuid(),
  /** Null where the turn is withheld. */
  question: z.nullable(text),
  about: z.nullable(refSchema),
  state: z.enum(['running', 'done', 'stopped', 'interrupted', 'failed']),
  createdAt: text,
  /** Why nothing of it is shown, a sentence; null where it is. */
  withheld: z.nullable(text),
  parts: z.array(numberedPartSchema),
});
export type ChatTurn = z.infer<typeof chatTurnSchema>;

export const conversationSchema = z.object({
  id: z.uuid(),
  title: text,
  /** The team that may read it; null where it is shared with nobody. */
  team: z.nullable(z.object({ id: count, name: text })),
  /** Whose it is, where it is not the caller's; they may only read it. */
  owner: z.nullable(text),
  askedAt: text,
});
export type Conversation = z.infer<typeof conversationSchema>;

/** A question that is worth asking now. */
export const suggestionSchema = z.object({ question: text, about: z.nullable(refSchema) });
export type Suggestion = z.infer<typeof suggestionSchema>;

const conversationParams = z.extend(clusterParams, { conversationId: z.uuid() });
const turnParams = z.extend(clusterParams, { turnId: z.uuid() });
const title = z.string().check(z.trim(), z.minLength(1), z.maxLength(titleLimit));
const base = '/api/clusters/:clusterId/chat';

/** The answer to one question as server-sent events, from the part after a number: `chatAnswer` in `streams.ts`. */
export const turnStreamPath = `${base}/turns/:turnId/stream` as const;

/** The AI chat of a cluster: conversations of each person, and the answers to their questions. */
export const chatEndpoints = {
  chat: endpoint({
    method: 'GET',
    path: base,
    summary: 'How questions in the chat of a cluster are answered, and suggested questions',
    access: 'cluster',
    tokens: 'never',
    params: clusterParams,
    perMinute: 60,
    response: z.object({
      mode: z.enum(chatModes),
      /** The model that answers besides the rules, and where what it is told goes; null where the rules answer alone. */
      model: z.nullable(z.object({ name: text, origin: text })),
      /** What the model took today (UTC), of what it may: for the person and for the company; null without a model. */
      used: z.nullable(z.object({ person: count, personLimit: count, company: count, companyLimit: count })),
      suggestions: z.array(suggestionSchema),
    }),
    failure: 'Failed to fetch the chat',
  }),
  conversations: endpoint({
    method: 'GET',
    path: `${base}/conversations`,
    summary:
      'The caller’s conversations on a cluster and those that are shared with their teams, newest first',
    access: 'cluster',
    tokens: 'never',
    params: clusterParams,
    query: z.object({
      /** Words in the title or a question of one’s own. */
      search: z.optional(z.string().check(z.maxLength(200))),
    }),
    response: z.array(conversationSchema),
    failure: 'Failed to fetch conversations',
  }),
  addConversation: endpoint({
    method: 'POST',
    path: `${base}/conversations`,
    summary: 'Starts a conversation',
    access: 'cluster',
    tokens: 'never',
    own: true,
    params: clusterParams,
    body: z.strictObject({ title }),
    response: conversationSchema,
    status: 201,
    perMinute: 60,
    failure: 'Failed to start a conversation',
  }),
  conversation: endpoint({
    method: 'GET',
    path: `${base}/conversations/:conversationId`,
    summary:
      'The newest turns of a conversation, or earlier ones, limited to objects that the caller may view',
    access: 'cluster',
    tokens: 'never',
    params: conversationParams,
    query: z.object({
      /** `earlier` of the page behind; without it the newest turns. */
      before: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647))),
    }),
    response: z.object({
      conversation: conversationSchema,
      /** The first one first. */
      turns: z.array(chatTurnSchema),
      /** For the page of the turns before; null where there are none. */
      earlier: z.nullable(count),
    }),
    failure: 'Failed to fetch the conversation',
  }),
  changeConversation: endpoint({
    method: 'PATCH',
    path: `${base}/conversations/:conversationId`,
    summary: 'Renames a conversation, or shares it with a team of the caller to read',
    audited: 'change a conversation of the chat[, shared with the team {team|teamId}], on {cluster}',
    access: 'cluster',
    tokens: 'never',
    params: conversationParams,
    body: z.strictObject({
      title: z.optional(title),
      /** Null shares it with nobody. */
      teamId: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(2_147_483_647)))),
    }),
    response: conversationSchema,
    failure: 'Failed to change the conversation',
  }),
  deleteConversation: endpoint({
    method: 'DELETE',
    path: `${base}/conversations/:conversationId`,
    summary: 'Deletes a conversation with its answers',
    access: 'cluster',
    tokens: 'never',
    own: true,
    params: conversationParams,
    status: 204,
    failure: 'Failed to delete the conversation',
  }),
  askChat: endpoint({
    method: 'POST',
    path: `${base}/conversations/:conversationId/turns`,
    summary: 'Asks a question; its answer is read as a stream',
    access: 'cluster',
    tokens: 'never',
    own: true,
    params: conversationParams,
    body: z.strictObject({
      question: z.string().check(z.trim(), z.minLength(1), z.maxLength(questionLimit)),
      /** The object that it is about. */
      about: z.optional(refSchema),
    }),
    response: chatTurnSchema,
    status: 201,
    perMinute: 30,
    failure: 'Failed to ask',
  }),
  stopChat: endpoint({
    method: 'POST',
    path: `${base}/turns/:turnId/stop`,
    summary: 'Stops an answer, on whichever server it runs',
    access: 'cluster',
    tokens: 'never',
    own: true,
    params: turnParams,
    status: 204,
    failure: 'Failed to stop the answer',
  }),
  takeProposal: endpoint({
    method: 'POST',
    path: `${base}/proposals/:proposalId/take`,
    summary: 'Accepts a proposal of an answer, once within ten minutes, and returns the action to run',
    access: 'cluster',
    tokens: 'never',
    own: true,
    params: z.extend(clusterParams, { proposalId: z.uuid() }),
    response: z.object({
      action: text,
      refs: z.array(refSchema),
      args: z.record(z.string(), z.unknown()),
    }),
    failure: 'Failed to accept the proposal',
  }),
} as const;

/** For the route that streams an answer. */
export const turnStreamParams = turnParams;
/** The last part that is known; the header `Last-Event-ID` of a reconnecting browser comes before it. */
export const turnStreamQuery = z.strictObject({
  after: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2_147_483_647)), 0),
});
