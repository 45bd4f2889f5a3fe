/** One call as the page shows it. */
export interface DocumentedCall {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly access: string;
  /** Whether API tokens may make it, as a sentence. */
  readonly tokens: string;
  /** JSON schema of the request's body. */
  readonly body: string | undefined;
  /** JSON schema of the answer's body. */
  readonly response: string | undefined;
}

/** The page's style sheet: a resource of its own, because inline styles are forbidden. */
export const docsStyle = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 4px; }
article { border-top: 1px solid; padding: 0.75rem 0; }
h2 { font-size: 1rem; margin: 0; }
p { margin: 0.25rem 0; }
`;

/** The list of calls as a page without scripts. */
export function docsPage(calls: readonly DocumentedCall[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Wheelhouse: the calls of this console</title>
    <link rel="stylesheet" href="/api/docs/style.css" />
  </head>
  <body>
    <h1>The calls of this console</h1>
    <p>For programs: <a href="/api/docs/json">OpenAPI 3.1</a>.</p>
${calls.map(articleOf).join('\n')}
  </body>
</html>
`;
}

function articleOf(call: DocumentedCall): string {
  return `    <article>
      <h2><code>${escape(call.method)} ${escape(call.path)}</code></h2>
      <p>${escape(call.summary)}. Access: ${escape(call.access)}. ${escape(call.tokens)}</p>
      ${detailsOf('Request', call.body)}${detailsOf('Answer', call.response)}
    </article>`;
}

function detailsOf(title: string, json: string | undefined): string {
  if (json === undefined) return '';
  return `<details><summary>${title}</summary><pre>${escape(json)}</pre></details>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
