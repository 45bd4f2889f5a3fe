import { describe, expect, test } from 'vitest';
import { kindById } from '../../src/web/core/kinds/declared.ts';
import { Problem } from '../../src/contract/problem.ts';
import type { Row } from '../../src/contract/live.ts';
import { csvOf, yamlOf } from '../../src/web/features/list/export.ts';
import { toggledTerm, unhealthyTerm } from '../../src/registry/filter/parse.ts';
import { rowFilter } from '../../src/web/data/rows/filter.ts';
import { placeColumns } from '../../src/web/data/rows/placed.ts';

const pod = kindById('pod');
if (pod === undefined) throw new Error('There is no kind called pod.');
const now = Date.parse('2026-01-01T01:00:00Z');
const wanted = ['namespace', 'name', 'ready', 'status', 'restarts', 'age'];
const columns = placeColumns(pod, undefined).filter(({ column }) => wanted.includes(column.id));

function row(name: string, status: readonly [string, string]): Row {
  const cells = pod?.columns.map(({ id }) => {
    const values: Readonly<Record<string, Row[1][number]>> = {
      namespace: 'shop',
      name,
      ready: '1/1',
      status,
      restarts: [3, null],
      age: 1_767_225_600,
    };
    return values[id] ?? null;
  });
  return [name, cells ?? []];
}

describe('a list as CSV', () => {
  test('has headings, the cells that show, and times as times', () => {
    expect(csvOf(columns, [row('web-1', ['Running', 'ok'])], now)).toBe(
      'Namespace,Name,Ready,Status,Restarts,Age\r\nshop,web-1,1/1,Running,3,2026-01-01T00:00:00.000Z\r\n',
    );
  });

  test('quotes what it has to, and never begins a formula', () => {
    const [, ...lines] = csvOf(
      columns,
      [row('a,b', ['say "hi"', 'ok']), row('=1+2', ['@SUM(A1)', 'ok']), row('-5', ['-x', 'ok'])],
      now,
    ).split('\r\n');
    expect(lines.slice(0, 3)).toEqual([
      'shop,"a,b",1/1,"say ""hi""",3,2026-01-01T00:00:00.000Z',
      "shop,'=1+2,1/1,'@SUM(A1),3,2026-01-01T00:00:00.000Z",
      "shop,-5,1/1,'-x,3,2026-01-01T00:00:00.000Z",
    ]);
  });
});

test('how long something has gone on counts by the clock that it is given: that of its cluster', () => {
  const job = kindById('job');
  if (job === undefined) throw new Error('There is no kind called job.');
  const [duration] = placeColumns(job, undefined).filter(({ column }) => column.format === 'duration');
  const cells = job.columns.map(({ format }) => (format === 'duration' ? [now / 1000 - 90, null] : null));
  const text = (at: number) => csvOf(duration === undefined ? [] : [duration], [['uid', cells]], at);
  expect([text(now), text(now + 7_200_000)].map((csv) => csv.split('\r\n')[1])).toEqual(['90s', '121m']);
});

describe('a list as YAML', () => {
  test('has the objects in the order of the rows, and names those that are gone', async () => {
    const object = ({ params }: { readonly params: { readonly name: string } }) =>
      params.name === 'gone'
        ? Promise.reject(new Problem({ status: 404, title: 'It is gone.' }))
        : Promise.resolve({ kind: 'Pod', metadata: { name: params.name } });
    const refs = ['b', 'gone', 'a'].map((name) => ({ cluster: '1', kind: 'pod', namespace: 'shop', name }));
    expect(await yamlOf({ object }, refs)).toBe(
      'kind: Pod\nmetadata:\n  name: b\n---\n# gone was deleted meanwhile.\n---\nkind: Pod\nmetadata:\n  name: a\n',
    );
  });
});

describe('only what is not well', () => {
  test('is a term of the filter that comes and goes', () => {
    expect(toggledTerm('api', unhealthyTerm)).toBe('api is:unhealthy');
    expect(toggledTerm('api is:unhealthy ns:shop', unhealthyTerm)).toBe('api ns:shop');
    expect(toggledTerm(unhealthyTerm, unhealthyTerm)).toBe('');
  });

  test('leaves rows whose status is a warning or worse', () => {
    const rows = [
      row('fine', ['Running', 'ok']),
      row('slow', ['NotReady', 'warn']),
      row('broken', ['Error', 'bad']),
      row('done', ['Completed', 'idle']),
    ];
    const passes = rowFilter(unhealthyTerm, placeColumns(pod, undefined));
    expect(rows.filter((one) => passes?.passes(one, '', 0)).map(([uid]) => uid)).toEqual(['slow', 'broken']);
  });
});
