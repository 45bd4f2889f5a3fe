/** Calls of tools: name and arguments. */
export type StubCalls = readonly (readonly [name: string, args: string])[];

/** What a model says or asks in one request. */
export interface StubTurn {
  readonly text?: string;
  readonly calls?: StubCalls;
  /** Whether the stream goes on without a word, or ends in an event of failure. */
  readonly end?: 'stalls' | 'fails';
}

/** How a provider writes what a model says. */
export interface ModelForm {
  /** As events of a stream, text and arguments in fragments. */
  events(turn: StubTurn): string[];
  /** As one answer. */
  whole(turn: StubTurn): object;
}

const fragments = (text = '', length: number): readonly string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [];
const idOf = (name: string, index: number, args: string) => `call-${name}-${index}-${args.length}`;

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'stub',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** `/v1/chat/completions`. */
export const completions: ModelForm = {
  events({ text, calls, end }) {
    const chunks: object[] = [
      ...fragments(text, 3).map((content) => chunk({ content })),
      ...(calls ?? []).flatMap(([name, args], index) => [
        chunk({
          tool_calls: [
            { index, id: idOf(name, index, args), type: 'function', function: { name, arguments: '' } },
          ],
        }),
        ...fragments(args, 5).map((part) =>
          chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
        ),
      ]),
    ];
    if (end === 'fails') chunks.push({ error: { message: 'canary of the provider', type: 'server_error' } });
    if (end === undefined) {
      chunks.push(chunk({}, calls === undefined ? 'stop' : 'tool_calls'));
      const usage =
        calls === undefined
          ? { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
          : { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 };
      chunks.push({ ...chunk({}), choices: [], usage });
    }
    const written = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`);
    return end === undefined ? [...written, 'data: [DONE]\n\n'] : written;
  },
  whole: ({ text }) => ({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'stub',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
  }),
};

/** `/v1/messages`. */
export const messages: ModelForm = {
  events({ text, calls, end }) {
    const usage = { input_tokens: calls === undefined ? 100 : 8, output_tokens: 0 };
    const message = {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'stub',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    const events: (Readonly<Record<string, unknown>> & { readonly type: string })[] = [
      { type: 'message_start', message },
      { type: 'ping' },
    ];
    const block = (index: number, content: object, deltas: readonly object[], isOpen = false) => {
      events.push({ type: 'content_block_start', index, content_block: content });
      for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
      if (!isOpen) events.push({ type: 'content_block_stop', index });
    };
    if (text !== undefined) {
      const deltas = fragments(text, 3).map((part) => ({ type: 'text_delta', text: part }));
      block(0, { type: 'text', text: '' }, deltas, end !== undefined);
    }
    for (const [index, [name, args]] of (calls ?? []).entries())
      block(
        index,
        { type: 'tool_use', id: idOf(name, index, args), name, input: {} },
        fragments(args, 5).map((part) => ({ type: 'input_json_delta', partial_json: part })),
      );
    if (end === 'fails')
      events.push({
        type: 'error',
        error: { type: 'overloaded_error', message: 'canary of the provider' },
      });
    if (end === undefined) {
      const stop = { stop_reason: calls === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
      events.push({
        type: 'message_delta',
        delta: stop,
        usage: { output_tokens: calls === undefined ? 20 : 2 },
      });
      events.push({ type: 'message_stop' });
    }
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  },
  whole: ({ text }) => ({
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'stub',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 1 },
  }),
};
