import { describe, expect, it } from 'vitest';
import {
  nextOpenState,
  type OpenEvent,
  type OpenSort,
  type OpenSortName,
  openSorts,
  type OpenState,
} from '../../../src/server/access/open-state.ts';

/** Each sort, by how it behaves. */
const sorts: Readonly<Record<OpenSort['unread'], readonly OpenSortName[]>> = {
  waits: ['pages', 'logs', 'terminals', 'replays'],
  ends: ['downloads'],
  'goes on': ['jobs'],
};

/** The step from each state by each event: of what waits, of what ends and of what goes on where rights are not known. */
const table: Readonly<
  Record<Exclude<OpenState, 'ended'>, Readonly<Record<OpenEvent, readonly [string, string, string]>>>
> = {
  open: {
    notice: ['held, hold', 'open', 'open'],
    doubt: ['held, hold', 'held, hold', 'open'],
    kept: ['open', 'open', 'open'],
    changed: ['open, narrow', 'open, narrow', 'open, narrow'],
    lost: ['ended, end', 'ended, end', 'ended, end'],
    'signed out': ['ended, end', 'ended, end', 'ended, end'],
    unread: ['open', 'open', 'open'],
    'unread for long': ['held, hold', 'ended, end', 'open'],
    closed: ['ended', 'ended', 'ended'],
  },
  held: {
    notice: ['held, hold', 'held', 'held'],
    doubt: ['held, hold', 'held, hold', 'held'],
    kept: ['open, release', 'open, release', 'open, release'],
    changed: ['open, release', 'open, release', 'open, release'],
    lost: ['ended, end', 'ended, end', 'ended, end'],
    'signed out': ['ended, end', 'ended, end', 'ended, end'],
    unread: ['held', 'ended, end', 'held'],
    'unread for long': ['held, hold', 'ended, end', 'held'],
    closed: ['ended', 'ended', 'ended'],
  },
};

describe('what stays open on rights', () => {
  const columns = Object.keys(sorts) as (keyof typeof sorts)[];

  it('has a column for each sort', () => {
    expect(Object.values(sorts).flat().sort()).toEqual(Object.keys(openSorts).sort());
    for (const column of columns)
      for (const name of sorts[column]) expect([name, openSorts[name].unread]).toEqual([name, column]);
  });

  it('ends with its session, except jobs', () => {
    const ofPeople = Object.entries(openSorts).filter(([, { bearer }]) => bearer === 'person');
    expect(ofPeople.map(([name]) => name)).toEqual(['jobs']);
  });

  for (const state of ['open', 'held'] as const)
    it.each(Object.entries(table[state]))(`in the state ${state} answers "%s"`, (event, expected) => {
      const steps = columns.map((column) =>
        nextOpenState({ bearer: 'session', unread: column }, state, event as OpenEvent).join(', '),
      );
      expect(steps).toEqual(expected);
    });

  it('stays ended whatever comes', () => {
    for (const sort of Object.values(openSorts))
      for (const event of Object.keys(table.open) as OpenEvent[])
        expect(nextOpenState(sort, 'ended', event)).toEqual(['ended']);
  });

  it('is never open again, and passes nothing on, between a notice and the rights that were read after it', () => {
    for (const name of sorts.waits)
      for (const event of ['notice', 'doubt', 'unread', 'unread for long'] as const)
        expect(nextOpenState(openSorts[name], 'held', event)[0]).toBe('held');
  });
});
