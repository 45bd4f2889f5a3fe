import { expect, test } from 'vitest';
import { noteOf, unreachedNotes } from '../../../src/server/search/notes.ts';

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
