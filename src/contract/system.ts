import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const systemEndpoints = {
  /** Configuration of this installation for the signed-in page. */
  consoleConfig: endpoint({
    method: 'GET',
    path: '/api/config',
    summary: 'Build and settings of this installation',
    access: 'session',
    response: z.object({
      /** Hash of the page's build that the server serves; a page with another hash is older or newer. */
      build: z.string(),
      /** The community chat or help desk behind the Help icon, if configured. */
      helpUrl: z.nullable(z.string()),
      /** Whether the console sells plans: without it the page shows none. */
      hasBilling: z.boolean(),
    }),
  }),
} as const;
