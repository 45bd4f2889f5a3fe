import { describe, expect, test } from 'vitest';
import { manifestLimit, parseManifest } from '../../src/kube/manifest.ts';
import { readFiles } from '../../src/web/features/create/read-files.ts';

const text = 'kind: Café # 😀\n';
const file = (bytes: Uint8Array<ArrayBuffer>, name = 'web.yaml') => new File([bytes], name);
const utf8 = (value: string) => new Uint8Array(new TextEncoder().encode(value));
const utf16 = (value: string, isLittle: boolean) => {
  const view = new DataView(new ArrayBuffer(2 * value.length));
  for (let at = 0; at < value.length; at += 1) view.setUint16(2 * at, value.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
};

describe('files that are dropped or pasted', () => {
  test.each([
    ['UTF-8', utf8(text)],
    ['UTF-8 with a byte order mark', utf8(`\uFEFF${text}`)],
    ['UTF-16, little end first', utf16(`\uFEFF${text}`, true)],
    ['UTF-16, big end first', utf16(`\uFEFF${text}`, false)],
  ])('are read as %s', async (_what, bytes) => {
    expect(await readFiles([file(bytes)])).toBe(text);
  });

  test('are refused by name where they are no text of these', async () => {
    const latin = new Uint8Array([0x61, 0x3a, 0x20, 0xe9, 0x0a]);
    await expect(readFiles([file(utf8(text)), file(latin, 'old.yaml')])).rejects.toThrow(
      'old.yaml is not UTF-8 text.',
    );
  });

  test('of UTF-16 without a byte order mark are recognised by the parser', async () => {
    const read = await readFiles([file(utf16('kind: Pod\n', true))]);
    expect(parseManifest(read)).toMatchObject({ message: expect.stringContaining('NUL characters') });
  });

  test('become one text of a document each', async () => {
    const read = await readFiles([file(utf8('a: 1')), file(utf8('b: 2\n\n\n')), file(utf8('\uFEFFc: 3'))]);
    expect(read).toBe('a: 1\n---\nb: 2\n---\nc: 3\n');
    expect(parseManifest(read)).toMatchObject({ documents: [{}, {}, {}] });
  });

  test('that are too large together are not read at all', async () => {
    const half = new Uint8Array(manifestLimit / 2 + 1);
    await expect(readFiles([file(half), file(half)])).rejects.toThrow(/more than 10 MB/);
  });
});
