import { expect, test } from 'vitest';
import { addToast, contentOf, forgetToasts, updateToast } from '../../src/web/kit/toast/toaster.ts';

test('the content of a toast is kept until it is on screen, even if others leave meanwhile', () => {
  const id = addToast('success', 'Cluster deleted', { detail: 'south' });
  forgetToasts(new Set(['another']));
  expect(contentOf(id)).toEqual({ type: 'success', title: 'Cluster deleted', detail: 'south' });
});

test('a toast keeps its place when it says something else', () => {
  const id = addToast('info', 'Copying');
  updateToast(id, { type: 'success', title: 'Copied' });
  expect(contentOf(id)).toMatchObject({ type: 'success', title: 'Copied' });
});
