import { expect, it } from 'vitest';
import { freeTextSchema, nameOfSchema } from '../../src/contract/text.ts';

const name = nameOfSchema('Enter a name.');
const text = freeTextSchema(20);

it.each(['prod', 'Ärger & Söhne', '本番', 'app 👩‍👩‍👧', '  trimmed  '])('%j is a valid name', (given) => {
  expect(name.parse(given)).toBe(given.trim());
});

it.each(['a\0b', 'a\nb', 'a\u001b[31mb', 'a\u202eb', 'a\u200bb', '\ufeffa\u2066b', 'a\u0085b'])(
  '%j is no name and no text of one line that people can trust',
  (given) => {
    expect(name.safeParse(given)).toMatchObject({ success: false });
    expect(text.safeParse(given).success).toBe(given === 'a\nb');
  },
);

it('an empty name has a message, and free text may contain lines and tabs', () => {
  expect(name.safeParse(' ').error?.issues[0]?.message).toBe('Enter a name.');
  expect(text.parse(' one\n\ttwo ')).toBe('one\n\ttwo');
  expect(text.safeParse('x'.repeat(21)).success).toBe(false);
});
