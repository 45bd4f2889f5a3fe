import { expect, test } from 'vitest';
import { noteOf, unreachedNotes, unreadNotes } from '../../../src/server/search/notes.ts';

const of = (...names: readonly string[]) =>
  unreachedNotes(names.map((name) => ({ name, message: `${name} refused the connection.` })));

test('clusters that do not answer are one line, however many', () => {
  expect(of()).toEqual([]);
  expect(of('lab')).toEqual(['lab refused the connection.']);
  expect(of('lab', 'prod')).toEqual([
    'lab and prod are unreachable, so some of their objects may not be found.',
  ]);
  expect(of('a', 'b', 'c', 'd')).toEqual([
    'a, b, c and one more cluster are unreachable, so some of their objects may not be found.',
  ]);
  expect(of(...Array.from({ length: 33 }, (_, at) => `c${at}`))).toEqual([
    'c0, c1, c2 and 30 more clusters are unreachable, so some of their objects may not be found.',
  ]);
});

test('a cluster whose names cannot be read is named', () => {
  expect(noteOf({ name: 'lab', message: 'Secrets may not be listed.' })).toBe(
    'lab: Secrets may not be listed.',
  );
  expect(noteOf({ name: 'lab', message: undefined })).toBe('lab: its names cannot be read.');
});

test('clusters that are not searched yet are counted', () => {
  expect(unreadNotes(0, 100)).toEqual([]);
  expect(unreadNotes(1, 1)).toEqual(['Not all objects of this cluster are searched yet.']);
  expect(unreadNotes(1, 100)).toEqual(['1 of 100 clusters is not searched yet.']);
  expect(unreadNotes(97, 100)).toEqual(['97 of 100 clusters are not searched yet.']);
});
