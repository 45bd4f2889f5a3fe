import { describe, expect, test } from 'vitest';
import { emptyTextOf } from '../../src/web/kit/empty-text.ts';

const say = (reading: Parameters<typeof emptyTextOf>[0]) =>
  emptyTextOf(reading, 'No clusters found', 'Failed to load clusters');

describe('an empty list to choose from', () => {
  test('says that it is being read until it was', () => {
    expect(say({ isFetching: true, isError: false })).toBe('Loading...');
    expect(say({ isFetching: true, isError: true })).toBe('Loading...');
  });

  test('says that nothing is there, also while it is read again or that fails', () => {
    expect(say({ data: [], isFetching: false, isError: false })).toBe('No clusters found');
    expect(say({ data: [], isFetching: true, isError: false })).toBe('No clusters found');
    expect(say({ data: [], isFetching: false, isError: true })).toBe('No clusters found');
  });

  test('does not say that nothing is there where it could not be read', () => {
    expect(say({ isFetching: false, isError: true })).toBe('Failed to load clusters');
  });
});
