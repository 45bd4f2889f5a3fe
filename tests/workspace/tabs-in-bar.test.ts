import { describe, expect, test } from 'vitest';
import { areOfSeveral, tabName } from '../../src/web/workspace/tab-marks.ts';
import { tabsInBar } from '../../src/web/workspace/tabs-in-bar.ts';

describe('the tabs of a bar', () => {
  test.each([
    { name: 'all, where there is room', count: 3, active: 0, room: 40, before: 0, from: 0, to: 3 },
    { name: 'exactly as many as fit', count: 5, active: 0, room: 21, before: 0, from: 0, to: 3 },
    {
      name: 'one less, where a pixel is missing',
      count: 5,
      active: 0,
      room: 20.9,
      before: 0,
      from: 0,
      to: 2,
    },
    { name: 'the one that shows, however narrow', count: 5, active: 3, room: 2, before: 0, from: 3, to: 4 },
    { name: 'the last ones with it at the end', count: 5, active: 4, room: 21, before: 0, from: 2, to: 5 },
    {
      name: 'the same as before, where it is among them',
      count: 9,
      active: 4,
      room: 21,
      before: 3,
      from: 3,
      to: 6,
    },
    { name: 'a step further behind them', count: 9, active: 6, room: 21, before: 3, from: 4, to: 7 },
    { name: 'a step back before them', count: 9, active: 2, room: 21, before: 3, from: 2, to: 5 },
    { name: 'no gap behind the last', count: 4, active: 3, room: 21, before: 3, from: 1, to: 4 },
  ])('$name', ({ count, active, room, before, from, to }) => {
    expect(tabsInBar(count, active, room, before)).toEqual({ from, to });
  });
});

describe('the marks of a tab', () => {
  test.each([
    { marks: { isUnsaved: false }, name: 'Pods' },
    { marks: { isUnsaved: false, cluster: 'harbour' }, name: 'Pods in harbour' },
    { marks: { isUnsaved: true, cluster: 'harbour' }, name: 'Pods in harbour, not saved' },
    { marks: { isUnsaved: false, ended: 'deleted' }, name: 'Pods, deleted' },
  ])('are part of its name: $name', ({ marks, name }) => {
    expect(tabName('Pods', marks)).toBe(name);
  });

  test.each([
    { clusters: [1, 1, undefined], isSeveral: false },
    { clusters: [undefined, undefined], isSeveral: false },
    { clusters: [1, undefined, 2], isSeveral: true },
  ])('name the cluster where there are several: $clusters', ({ clusters, isSeveral }) => {
    expect(areOfSeveral(clusters)).toBe(isSeveral);
  });
});
