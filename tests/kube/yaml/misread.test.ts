import { expect, test } from 'vitest';
import { isMisread } from '../../../src/kube/yaml/misread.ts';

test.each(['10:30', '190:20:30.15', '0o17', '0B11', '1e400', '.5_'])(
  'a hint of the editor about %s is left out, since its worker reads another type than kubectl',
  (scalar) => {
    expect(isMisread(scalar)).toBe(true);
  },
);

test.each([
  '0400',
  '089',
  '1_000',
  '0x1F',
  '1.5',
  'yes',
  'y',
  'text',
  '~',
  '2001-01-01',
  'nginx:1.25',
  'a: b',
  '"1"',
])('the editor’s hint about %s is shown, because its worker reads the same type as kubectl', (scalar) => {
  expect(isMisread(scalar)).toBe(false);
});
