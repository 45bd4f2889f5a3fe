import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = readdirSync(join(root, 'src/web'), { recursive: true, encoding: 'utf8' })
  .map((name) => `src/web/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.tsx'))
  .sort();
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const having = (pattern: RegExp): readonly string[] => files.filter((file) => pattern.test(textOf(file)));

/** The opening tags of a component in a file, with what they are given. */
const tagsOf = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`<${name}\\b[^]*?\\n? *>\\n`, 'g'))].map(([tag]) => tag);

const dialogs = having(/<(?:Dialog|ConfirmDialog|FormDialog|OnceDialog|ProofDialog)\b/);

test('every dialog is the one whose keys are guarded: nothing else asks', () => {
  expect(dialogs.length).toBeGreaterThan(30);
  expect(having(/\bDialog as Radix\b|\bAlertDialog\b|<dialog\b/)).toEqual([
    // It has no act: what it lists is guarded by its own rules.
    'src/web/features/palette/Palette.tsx',
    'src/web/kit/Dialog.tsx',
  ]);
  expect(having(/window\.(?:confirm|prompt|alert)\(|[^.\w](?:confirm|prompt)\(['"`]/)).toEqual([]);
  expect(having(/role="(?:alert)?dialog"/).filter((file) => !/<Dialog\b/.test(textOf(file)))).toEqual([]);
});

test('a button of a dialog that destroys is its act, and the dialog says that it destroys', () => {
  const faults = dialogs.flatMap((file) => {
    const text = textOf(file);
    const [footer = ''] = /footer=\{[^]*$/.exec(text) ?? [];
    const destroying = tagsOf(footer, 'Button').filter((tag) => /variant="danger"|'danger'/.test(tag));
    return [
      ...destroying.filter((tag) => !/\bacts\b/.test(tag)).map((tag) => `${file}: ${tag}`),
      ...(destroying.length > 0 && !/\bisDangerous\b/.test(text) ? [`${file}: not isDangerous`] : []),
      ...(/role="alertdialog"/.test(text) && !/\bisDangerous\b/.test(text) ? [`${file}: no safe focus`] : []),
    ];
  });
  expect(faults).toEqual([]);
});

test('a dialog that destroys has a button that leaves it, where its focus begins', () => {
  const destroying = dialogs.filter(
    (file) => /<Dialog\b/.test(textOf(file)) && /isDangerous/.test(textOf(file)),
  );
  expect(destroying.length).toBeGreaterThan(3);
  for (const file of destroying)
    expect([file, /<Button(?: variant="secondary")? onClick=\{/.test(textOf(file))]).toEqual([file, true]);
});

test('no component marks an act by hand or answers the keys of a dialog by itself', () => {
  const marked = having(/data-acts(?!\])/).filter((file) => !file.startsWith('src/web/screens/Tests/'));
  expect(marked).toEqual(['src/web/kit/Button.tsx']);
  const answering = dialogs.filter((file) => /onKey(?:Down|Up|Press)/.test(textOf(file)));
  expect(answering).toEqual([]);
});
