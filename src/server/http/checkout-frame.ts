import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { checkoutFramePath } from '../../contract/subscription.ts';
import type { Origins } from './origins.ts';
import { scriptOfChargebee, scriptOfTest } from './checkout-scripts.ts';
import type { BillingSettings } from '../kit/config-billing.ts';

const style = `
  html, body, iframe { width: 100%; height: 100%; margin: 0; border: 0; }
  iframe { display: block; }`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the document of the checkout may load, by the provider. */
interface FrameSources {
  readonly script: string;
  /** The address of the provider's script; undefined where it has none. */
  readonly library: string | undefined;
  readonly policy: Readonly<Record<string, string>>;
}

function sourcesOf(settings: BillingSettings, testOrigin: () => string): FrameSources {
  if (settings.kind === 'test')
    return {
      script: scriptOfTest,
      library: undefined,
      policy: {
        'script-src': hashOf(scriptOfTest),
        'style-src': hashOf(style),
        'frame-src': testOrigin(),
      },
    };
  const { protocol, suffix, port, script } = settings.hosts;
  const isUsual = port === (protocol === 'https' ? 443 : 80);
  const site = `${protocol}://${settings.site}${suffix}${isUsual ? '' : `:${port}`}`;
  const scripts = new URL(script).origin;
  return {
    script: scriptOfChargebee,
    library: script,
    policy: {
      'script-src': `${hashOf(scriptOfChargebee)} ${scripts}`,
      // The script styles what it adds to the document.
      'style-src': `'unsafe-inline' ${scripts}`,
      'img-src': `${scripts} ${site} data:`,
      'connect-src': `${scripts} ${site}`,
      'frame-src': `${scripts} ${site}`,
    },
  };
}

/**
 * Serves the document that the checkout runs in. Its policy sandboxes it, so that the provider's script has an opaque
 * origin and reads nothing of the console that frames it; it is the one answer that names the provider's hosts.
 * @param testOrigin where the pages of the test mode are
 */
export function installCheckoutFrame(
  app: FastifyInstance,
  settings: BillingSettings,
  { origins, testOrigin }: { readonly origins: Pick<Origins, 'originOf'>; readonly testOrigin: () => string },
): void {
  app.get(
    checkoutFramePath,
    { config: { access: 'public', anonymous: true }, schema: { hide: true } },
    async (request, reply) => {
      const { script, library, policy } = sourcesOf(settings, testOrigin);
      const directives = {
        'default-src': "'none'",
        ...policy,
        'frame-ancestors': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        sandbox: 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
      };
      const origin = origins.originOf(request.host);
      if (!/^https?:\/\/[\w.:[\]-]+$/.test(origin)) throw new Error('The origin is not fit for a document.');
      return await reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header(
          'content-security-policy',
          Object.entries(directives)
            .map(([name, value]) => `${name} ${value}`)
            .join('; '),
        )
        .header('x-frame-options', 'SAMEORIGIN')
        .send(`<!doctype html>
<html lang="en" data-origin="${origin}">
  <head>
    <meta charset="utf-8" />
    <title>Checkout</title>
    ${library === undefined ? `<style>${style}</style>` : `<script src="${library}"></script>`}
  </head>
  <body>
    <script>${script}</script>
  </body>
</html>
`);
    },
  );
}
