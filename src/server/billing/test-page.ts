import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestPagesPlace } from '../kit/config-billing.ts';
import { testPlans, type TestPage, type TestProvider } from './test-provider.ts';

const style = `
  :root {
    color-scheme: light dark;
    font: 14px/1.5 system-ui, sans-serif;
    color: light-dark(#141f29, #e0e7ec);
    background: light-dark(#fbfdfe, #0c1217);
  }
  body { margin: 0 auto; padding: 24px 16px; max-width: 420px; }
  strong {
    display: block;
    padding: 8px 12px;
    border: 1px solid light-dark(#e0b17a, #704d22);
    border-left-width: 3px;
    border-radius: 4px;
    background: light-dark(#feeedc, #342410);
    font-weight: 600;
  }
  h1 { margin: 24px 0 12px; font-size: 20px; line-height: 1.3; }
  dl { display: grid; grid-template-columns: 8rem 1fr; gap: 6px 16px; margin: 0 0 20px; }
  dt { color: light-dark(#58636e, #89969f); }
  dd { margin: 0; overflow-wrap: anywhere; }
  form { display: inline-block; margin-right: 8px; }
  button {
    padding: 8px 14px;
    border: 1px solid light-dark(#7c8891, #5d6b76);
    border-radius: 4px;
    color: inherit;
    background: none;
    font: inherit;
    font-weight: 500;
  }
  form:first-of-type button {
    border-color: transparent;
    color: light-dark(#ffffff, #03101a);
    background: light-dark(#026297, #59c0ee);
  }
  :focus-visible { outline: 2px solid light-dark(#0271c2, #51cefa); outline-offset: 2px; }`;

/** Tells whoever frames the page what became of it; in a window of its own the browser goes on to the console. */
const script = `
  const { outcome, page, next } = document.documentElement.dataset;
  if (window.parent === window) location.replace(next);
  else window.parent.postMessage(outcome === 'succeeded' ? { type: 'success', hostedPageId: page } : { type: 'closed' }, '*');`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The payment pages of the test mode, on an origin of their own: another port, where nothing reads or sets a cookie. Who
 * knows the address of a page, which is random, may pay it.
 */
export class TestPages {
  readonly #server: Server;
  /** Where a proxy has them; undefined where browsers reach them as they listen. */
  readonly #place: TestPagesPlace | undefined;
  #host = '127.0.0.1';

  /**
   * @param provider asked late, as it needs the origin of these pages
   * @param place where they are; without it on a free port
   */
  constructor(provider: () => TestProvider, place: TestPagesPlace | undefined) {
    this.#place = place;
    this.#server = createServer((request, response) => {
      answer(provider(), request, response).catch(() => {
        if (!response.headersSent) send(response, 500, documentOf('It failed', '<p>Try again.</p>'));
        else response.destroy();
      });
    });
  }

  /** Begins to listen. Rejects where its port is taken. */
  async start(host: string): Promise<void> {
    this.#host = host;
    this.#server.listen({ host, port: this.#place?.port ?? 0 });
    await once(this.#server, 'listening');
  }

  /** Where the pages are; only while it listens. */
  origin(): string {
    if (this.#place !== undefined) return this.#place.origin;
    const { port } = this.#server.address() as AddressInfo;
    return `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${port}`;
  }

  /** Ends it with what is open. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function answer(
  provider: TestProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  const url = new URL(request.url ?? '/', 'http://page');
  const [, id, act] = /^\/pages\/([\w-]{1,100})(?:\/(pay|cancel))?$/.exec(url.pathname) ?? [];
  if (id !== undefined && act === undefined && request.method === 'GET') {
    const page = await provider.testPage(id);
    send(response, page === undefined ? 404 : 200, page === undefined ? unknownPage : checkoutPage(id, page));
    return;
  }
  if (id !== undefined && act !== undefined && request.method === 'POST') {
    const page = await provider.settlePage(id, act === 'pay' ? 'succeeded' : 'cancelled');
    send(response, page === undefined ? 404 : 200, page === undefined ? unknownPage : settledPage(id, page));
    return;
  }
  if (url.pathname.startsWith('/portal/') && request.method === 'GET') {
    send(response, 200, portalPage(url.searchParams.get('return') ?? ''));
    return;
  }
  send(response, 404, unknownPage);
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(html);
}

const unknownPage = documentOf('No such page', '<p>This payment page does not exist.</p>');

function checkoutPage(id: string, page: TestPage): string {
  if (page.state !== 'open') return settledPage(id, page);
  const plan = testPlans.find((one) => one.id === page.planId);
  return documentOf(
    'Test checkout',
    `<dl>
      <dt>Organisation</dt><dd>${escaped(page.companyName)}</dd>
      <dt>Plan</dt><dd>${escaped(plan?.name ?? page.planId)}</dd>
      <dt>Seats</dt><dd>${page.seats}</dd>
      <dt>Total</dt><dd>${escaped(plan === undefined ? '' : amountOf(plan.price * page.seats, plan.currency))}</dd>
    </dl>
    <form method="post" action="/pages/${id}/pay"><button>Pay (test)</button></form>
    <form method="post" action="/pages/${id}/cancel"><button>Cancel</button></form>`,
  );
}

function settledPage(id: string, page: TestPage): string {
  if (page.state === 'open') return documentOf('Expired', '<p>This payment page has expired.</p>');
  const next = new URL(page.state === 'succeeded' ? page.callbackUrl : page.cancelUrl);
  next.searchParams.set('id', id);
  next.searchParams.set('state', page.state);
  return documentOf(
    page.state === 'succeeded' ? 'Paid' : 'Cancelled',
    `<p>${page.state === 'succeeded' ? 'The test payment went through.' : 'Nothing was paid.'}</p>
    <script>${script}</script>`,
    `data-outcome="${page.state}" data-page="${id}" data-next="${escaped(next.href)}"`,
  );
}

function portalPage(back: string): string {
  const isLink = URL.canParse(back) && /^https?:$/.test(new URL(back).protocol);
  return documentOf(
    'Test billing portal',
    `<p>A provider shows payment methods and invoices here.</p>
    ${isLink ? `<p><a href="${escaped(back)}">Back to the console</a></p>` : ''}`,
  );
}

function documentOf(title: string, body: string, data = ''): string {
  return `<!doctype html>
<html lang="en" ${data}>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>${title}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <strong>Test mode: nothing is charged.</strong>
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`;
}

function amountOf(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
