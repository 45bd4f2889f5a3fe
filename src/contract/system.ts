import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const systemEndpoints = {
  /** What the page needs to know of this installation once signed in. */
  consoleConfig: endpoint({
    method: 'GET',
    path: '/api/config',
    summary: 'Build and settings of this installation',
    access: 'session',
    response: z.object({
      /** Hash of the page's build; a page with another one is older or newer than the server. */
      build: z.string(),
      /** The community chat or help desk behind the Help icon, where one is configured. */
      helpUrl: z.nullable(z.string()),
    }),
  }),
} as const;
