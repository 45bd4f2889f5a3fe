import type { ModelProvider } from '../../../contract/chat-model.ts';

/** What the kinds of providers are called. */
export const providerTitles: Readonly<Record<ModelProvider, string>> = {
  'openai-compatible': 'OpenAI-compatible',
  anthropic: 'Anthropic',
};
