import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { type Manifest, parseManifest } from '../../src/kube/manifest.ts';
import { createTexts, editorHeight } from '../../src/web/features/create/messages.ts';
import { ParsedPanel, tell } from '../../src/web/features/create/ParsedPanel.tsx';
import { specified, specifiedValues } from './create-spec.ts';

/** What the panel shows of a text, as plain text. */
function panel(manifest: Manifest | undefined): string {
  const html = renderToStaticMarkup(createElement(ParsedPanel, { manifest }));
  return html
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
const shown = (text: string) => panel(parseManifest(text));

describe('the messages of the dialog', () => {
  const said = Object.entries(createTexts).map(([name, text]) => [
    name,
    typeof text === 'function' ? text('{message}') : text,
  ]);
  test('are those of the specification, each and no other', () => {
    expect(Object.fromEntries(said)).toEqual(specified);
  });
});

describe('the measures of the dialog (specification section 9)', () => {
  const read = (path: string) => readFileSync(new URL(`../../src/web/${path}`, import.meta.url), 'utf8');
  test('the editor is 400 pixels high, the panel 370', () => {
    expect(editorHeight).toBe(400);
    const html = renderToStaticMarkup(createElement(ParsedPanel, { manifest: undefined }));
    expect(html).toMatch(/^<section class="[^"]*\bh-\[370px\]/);
  });
  test('the copy icon is back after 2,000 ms', () => {
    expect(read('kit/CopyButton.tsx')).toMatch(/const feedbackDuration = 2_000;/);
  });
  test('a tab is two columns wide', () => {
    expect(read('features/editor/monaco/create-editor.ts')).toMatch(/tabSize: 2,/);
  });
});

describe('the events of the panel (specification section 4)', () => {
  test.each([
    ['', ['parsed', null]],
    [' \n', ['parsed', null]],
    ['a: 1', ['parsed', [{ a: 1 }]]],
    ['a: 1\n---\nb: 2', ['parsed', [{ a: 1 }, { b: 2 }]]],
    ['# nothing yet', ['parsed', null]],
    ['a: [', ['error', expect.stringContaining('Flow sequence')]],
  ])('%j is told of as %j', (text, event) => {
    const told: unknown[] = [];
    tell(parseManifest(text), {
      onParsed: (values) => told.push(['parsed', values]),
      onError: (message) => told.push(['error', message]),
    });
    expect(told).toEqual([event]);
  });

  test('what is beside the parser’s words is shown apart from them', () => {
    const said = shown('kind: Pod\u2028metadata: {name: x}');
    expect(said).toMatch(/Error: .* This text has line ends that YAML does not know/);
  });
});

describe('the panel beside the editor', () => {
  test.each(['', '  \n', '# only a comment', undefined])(
    'says what to do while nothing is there: %j',
    (text) => {
      const said = panel(text === undefined ? undefined : parseManifest(text));
      expect(said).toBe(`Parsed Values ${specified.invalid} ${specified.nothingParsed}`);
    },
  );

  test('shows the parser’s words for what is invalid, and that it is', () => {
    const manifest = parseManifest('a: [');
    if (manifest.type !== 'invalid') throw new Error('This is valid.');
    const said = panel(manifest);
    expect(said).toContain(`Parsed Values ${specified.invalid} Error: `);
    expect(said).toContain(manifest.message.split('\n')[0]);
    expect(said).not.toContain(specified.nothingParsed);
  });

  const { notSpecified, namespace, replicas, serviceType, host, noHosts, noData, secretType } =
    specifiedValues;
  test.each([
    ['no kind and no name', 'a: 1', `Kind ${notSpecified} Name ${notSpecified} Namespace ${namespace}`],
    ['a Deployment', 'kind: deployment', `Replicas ${replicas}`],
    ['a Service', 'kind: SERVICE', `Type ${serviceType}`],
    ['an Ingress without rules', 'kind: Ingress', `Hosts ${noHosts}`],
    ['an Ingress without a host', 'kind: Ingress\nspec: {rules: [{}]}', `Hosts ${host}`],
    ['a ConfigMap', 'kind: ConfigMap', `Data ${noData}`],
    ['a Secret', 'kind: Secret\ndata: {password: aHVudGVyMg==}', `Type ${secretType} Data password`],
    [
      'labels and annotations',
      'metadata: {labels: {a: b}, annotations: {c: d}}',
      'Labels a b Annotations c d',
    ],
  ])('shows of %s what the specification says', (_what, text, said) => {
    expect(shown(text)).toContain(`Parsed Values ${specified.valid}`);
    expect(shown(text)).toContain(said);
  });

  test('never shows a Secret’s value, and shows no labels where there are none', () => {
    const said = shown('kind: Secret\ndata: {password: aHVudGVyMg==}\nstringData: {other: hunter2}');
    expect(said).not.toMatch(/aHVudGVyMg|hunter2|Labels|Annotations/);
  });

  test('shows several documents, each by its line', () => {
    expect(shown('kind: A\n---\nkind: B\n')).toMatch(/Document 1 of 2 line 1 .*Document 2 of 2 line 3/);
  });

  test('says what is sent as something else than it looks like', () => {
    expect(shown('kind: Pod\nmode: 0440')).toContain('Line 2: 0440 is octal and is sent as 288.');
  });
});
