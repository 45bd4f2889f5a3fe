import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { comparePictures } from '../shots/compare.ts';

function picture(width: number, height: number, grey: number): PNG {
  const png = new PNG({ width, height });
  png.data.fill(grey);
  return png;
}

test('pictures of one look have no pixel that differs', () => {
  expect(comparePictures(picture(4, 4, 200), picture(4, 4, 200))).toMatchObject({ share: 0 });
});

test('one step of one colour in one pixel counts as a difference', () => {
  const changed = picture(4, 4, 200);
  changed.data[5] = 201;
  expect(comparePictures(picture(4, 4, 200), changed)).toMatchObject({ share: 1 / 16 });
});

test('pictures of two sizes are not compared, and the sizes are named', () => {
  expect(comparePictures(picture(4, 4, 200), picture(4, 5, 200))).toEqual({ reason: '4x4 became 4x5' });
});
