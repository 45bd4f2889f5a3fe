import { describe, expect, test } from 'vitest';
import { parseManifest } from '../../src/kube/manifest.ts';
import { placedIssues } from '../../src/web/features/create/refused.ts';

const first = 'kind: A\nspec:\n  replicas: 1\n';
const second = 'kind: B\nspec:\n  replicas: -1\n  ports:\n    - port: 99999\n';
const documentsOf = (text: string) => {
  const manifest = parseManifest(text);
  return manifest.type === 'valid' ? manifest.documents : [];
};
const refused = (text: string, at: number, ...paths: readonly string[]) => ({
  source: documentsOf(text)[at]?.source ?? '',
  fields: paths.map((path) => ({ path, message: 'no' })),
});

describe('fields that the cluster refused', () => {
  test.each(['', '---\n# nothing\n---\n', 'null\n---\n'])(
    'stand in their own document: after %j',
    (before) => {
      const text = `${before}${first}---\n${second}`;
      const documents = documentsOf(text);
      const lines = before.split('\n').length - 1;
      expect(
        placedIssues(text, documents, [
          refused(text, documents.length - 1, 'spec.replicas', 'spec.ports[0].port'),
        ]),
      ).toEqual([
        { path: 'spec.replicas', message: 'no', place: { line: lines + 7, column: 3 } },
        { path: 'spec.ports[0].port', message: 'no', place: { line: lines + 9, column: 7 } },
      ]);
    },
  );

  test('disappear once their document is changed, and stay when another one is', () => {
    const text = `${first}---\n${second}`;
    const mended = text.replace('-1', '1');
    expect(placedIssues(mended, documentsOf(mended), [refused(text, 1, 'spec.replicas')])).toEqual([]);
    const other = `# a line more\n${text.replace('kind: A', 'kind: C')}`;
    expect(placedIssues(other, documentsOf(other), [refused(text, 1, 'spec.replicas')])).toMatchObject([
      { place: { line: 8 } },
    ]);
  });

  test('are listed without a line if the text has none', () => {
    expect(placedIssues(first, documentsOf(first), [refused(first, 0, 'data.a')])).toMatchObject([
      { path: 'data.a', place: undefined },
    ]);
  });
});
