import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deployment } from '../../commands/kinds/deployment.ts';
import { event } from '../../commands/kinds/event.ts';
import { pod } from '../../commands/kinds/pod.ts';
import type { CellValue, Row } from '../../src/contract/live.ts';
import type { KindFacts } from '../../src/registry/kinds/kind-facts.ts';
import {
  fittingColumns,
  leastWidth,
  longestChars,
  needsTwoLines,
  sized,
  hasStatus,
  tellsUsage,
  tracksOf,
} from '../../src/web/features/list/columns.ts';
import { rowFilter, saysMore, wordsOf } from '../../src/web/data/rows/filter.ts';
import { placeColumns } from '../../src/web/data/rows/placed.ts';
import type { CompileRegex } from '../../src/web/data/rows/regex.ts';
import { compileRegex } from '../../src/web/data/rows/regex-engine.ts';
import { noChoice, readColumns, storeColumns, turnColumn } from '../../src/web/core/state/columns.ts';
import { proof } from '../prove.ts';

fc.configureGlobal(proof());

const columns = placeColumns(deployment, undefined);
function row(name: string, cells: Readonly<Record<string, unknown>>): Row {
  const all: Readonly<Record<string, unknown>> = {
    name,
    namespace: 'shop',
    status: ['Available', 'ok'],
    ...cells,
  };
  return [name, deployment.columns.map(({ id }) => (all[id] ?? null) as Row[1][number])];
}
const rows = [
  row('api', { labels: ['app=web', 'tier=front'] }),
  row('worker', { labels: ['app=worker', 'canary='], status: ['Degraded', 'warn'] }),
  row('db', { namespace: 'data', labels: ['app=postgres'] }),
];
/** Seconds since 1970: ages are counted up to it. */
const now = 2_000_000;
const found = (text: string, compile?: CompileRegex) => {
  const filter = rowFilter(text, columns, compile);
  return rows
    .filter((one) => filter === undefined || filter.passes(one, wordsOf(one, columns), now))
    .map(([uid]) => uid);
};

describe('a filter', () => {
  test.each([
    ['label:app=web', ['api']],
    ['label:app', ['api', 'worker', 'db']],
    ['label:app=w*', ['api', 'worker']],
    ['label:canary', ['worker']],
    ['label:canary=', ['worker']],
    ['label:ap', []],
    ['!label:tier', ['worker', 'db']],
    ['status:degraded', ['worker']],
    ['!status:avail', ['worker']],
    ['ns:shop !worker', ['api']],
    ['namespace:shop api', ['api']],
    ['ns:*', ['api', 'worker', 'db']],
    ['!', ['api', 'worker', 'db']],
    ['nothing:here', []],
    ['tier=front', []],
  ])('%s', (text, expected) => expect(found(text)).toEqual(expected));

  // The engine and the filter load apart and only meet here: what one gives has to be what the other takes.
  test.each([
    ['/^(api|db)$/', ['api', 'db']],
    ['-/^api$/', ['worker', 'db']],
    ['name:/^w/', ['worker']],
    ['/^w/ status:degraded', ['worker']],
    ['/(/', []],
  ])('%s with the engine for regular expressions', (text, expected) =>
    expect(found(text, compileRegex)).toEqual(expected),
  );
});

test.each([
  ['api', true],
  ['shop w', true],
  ['!api', true],
  ['api ns:shop', true],
  ['is:unhealthy x', true],
  ['status:degraded', false],
  ['!ns:shop', false],
  ['is:unhealthy', false],
  ['label:app', false],
  ['restarts>1', true],
])('%s: what a whole row says is needed for it: %s', (text, asksWords) => {
  // Deployments have no restarts: that is a text.
  expect(rowFilter(text, columns)?.asksWords).toBe(asksWords);
});

describe('a filter that says more than another', () => {
  test.each([
    ['web-1', 'web', true],
    ['web-1 shop', 'web', true],
    ['my-web', 'web', true],
    ['web', 'web-1', false],
    ['status:run', 'status:r', true],
    ['status:run', 'status', false],
    ['status:run', 'status:', true],
    ['restarts>5', 'restarts>1', false],
    ['web|db', 'web', false],
    ['"web 1"', 'web', true],
    ['status!=run', 'status!=r', false],
    ['ns:shop', 'namespace:sh', true],
    ['status:run', 'ns:r', false],
    ['ns:*p', 'ns:p', false],
    ['label:app', 'label:ap', false],
    ['!web-1', '!web', false],
    ['!web', 'web', false],
    ['is:unhealthy', 'is:unhealth', false],
    ['shop is:unhealthy', 'shop', true],
  ])('%s than %s: %s', (text, than, expected) => expect(saysMore(text, than, columns)).toBe(expected));

  test('is passed only by rows that pass the other', () => {
    const words = [
      'a',
      'ap',
      'api',
      'ns:sh',
      'ns:shop',
      'status:av',
      'label:app',
      '!wor',
      'is:unhealthy',
      'd*',
      '-wor',
      'api|db',
      '"api"',
      'status!=degraded',
      'ready<1/1',
      'ns:data|shop',
      'ns:',
      'ready:x',
    ];
    const some = fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((terms) => terms.join(' '));
    fc.assert(
      fc.property(some, some, (text, than) => {
        if (saysMore(text, than, columns)) expect(found(than)).toEqual(expect.arrayContaining(found(text)));
      }),
    );
  });
});

describe('the columns somebody wants', () => {
  const ids = (width: number, choice: typeof noChoice) =>
    fittingColumns(placeColumns(pod, undefined), width, choice).map(({ column }) => column.id);

  test('a column that was asked for stays, one that was put away goes', () => {
    expect(ids(0, turnColumn(noChoice, 'ip', false))).toContain('ip');
    expect(ids(460, turnColumn(noChoice, 'node', false))).toContain('node');
    expect(ids(0, turnColumn(noChoice, 'age', true))).not.toContain('age');
  });

  test('where a message would be cut off, or not even a name has room, an object takes two lines', () => {
    const isTwoLine = (kind: KindFacts, width: number, choice = noChoice) =>
      needsTwoLines(fittingColumns(placeColumns(kind, undefined), width, choice), width, choice);
    expect(isTwoLine(event, 0), 'not measured yet').toBe(false);
    expect(isTwoLine(event, 460)).toBe(false);
    expect(isTwoLine(event, 300)).toBe(true);
    expect(isTwoLine(event, 300, { isWide: true, columns: {} }), 'a wide table is scrolled').toBe(false);
    expect(isTwoLine(pod, 300)).toBe(false);
    expect(isTwoLine(pod, 160)).toBe(true);
  });

  test('figures are never cut off: a column is as wide as its longest', () => {
    const ready = columns.filter(({ column }) => column.id === 'ready');
    const widthFor = (...figures: readonly string[]) => {
      const some = figures.map((figure, at) => row(`a${at}`, { ready: figure }));
      const wide = sized(ready, longestChars(ready, some));
      return { track: tracksOf(wide), least: leastWidth(wide) - leastWidth([]) };
    };
    expect(widthFor()).toEqual({ track: '3.25rem', least: 52 });
    expect(widthFor('1/1', '10/10')).toEqual({ track: '3.25rem', least: 52 });
    expect(widthFor('1/1', '300/300', '0/1')).toEqual({ track: '4.25rem', least: 68 });
    expect(widthFor('1000/1000')).toEqual({ track: '5.25rem', least: 84 });
    const status = columns.filter(({ column }) => column.id === 'status');
    const tracks = (label: string, width: number) => {
      const wide = sized(status, longestChars(status, [row('a', { status: [label, 'bad'] })]));
      return tracksOf(wide, width);
    };
    expect(tracks('Running', 400)).toBe('10rem');
    expect(tracks('Init:CreateContainerConfigError', 400)).toBe(`${(31 * 7 + 38) / 16}rem`);
    expect(tracks('Running', 90)).toBe(`${(7 * 7 + 38) / 16}rem`);
  });

  test('a time is as wide as what stands over it, with the arrow of its order', () => {
    const [age] = columns.filter(({ column }) => column.id === 'age');
    const track = (label: string) =>
      age === undefined ? '' : tracksOf([{ ...age, column: { ...age.column, label } }]);
    expect(track('Age')).toBe('3.625rem');
    expect(track('Last seen')).toBe(`${(9 * 6.5 + 24) / 16}rem`);
  });

  test('texts share the place that is left by how long they are, in steps and up to a bound', () => {
    const names = columns.filter(({ column }) => column.id === 'name' || column.id === 'namespace');
    const tracks = (...named: readonly string[]) =>
      tracksOf(
        sized(
          names,
          longestChars(
            names,
            named.map((name) => row(name, { namespace: 'shop' })),
          ),
        ),
      );
    expect(tracks()).toBe('minmax(6rem, 0.5fr) minmax(10.5rem, 1.3fr)');
    expect(tracks('cart', 'checkout-1')).toBe('minmax(6rem, 8fr) minmax(10.625rem, 16fr)');
    expect(tracks('checkout-12')).toBe(tracks('checkout-1'));
    expect(tracks('a'.repeat(200))).toBe('minmax(6rem, 8fr) minmax(10.625rem, 48fr)');
  });

  test('usage that is known shows in brief where there is room, and goes first where there is none', () => {
    const placed = placeColumns(pod, undefined);
    const shown = (width: number, choice = noChoice) =>
      fittingColumns(placed, width, choice, true)
        .filter(({ column }) => column.join === 'metrics')
        .map(({ column, isBrief }) => [column.id, isBrief === true]);
    expect(ids(1200, noChoice)).not.toContain('cpu-usage');
    expect(shown(1200)).toEqual([
      ['cpu-usage', true],
      ['memory-usage', true],
    ]);
    expect(shown(700)).toEqual([]);
    expect(shown(1200, turnColumn(noChoice, 'cpu-usage', true))).toEqual([['memory-usage', true]]);
    expect(shown(0, { isWide: true, columns: {} })).toEqual([
      ['cpu-usage', false],
      ['memory-usage', false],
    ]);
    const cells = (used: CellValue) => pod.columns.map(({ id }) => (id === 'memory-usage' ? used : null));
    const known = (...used: readonly CellValue[]) =>
      tellsUsage(
        placed,
        used.map((value, at): Row => [`${at}`, cells(value)]),
      );
    expect(known()).toBe(false);
    expect(known(null, null)).toBe(false);
    expect(known(null, [1, null, 2])).toBe(true);
  });

  test('a status that no object has is none', () => {
    const placed = placeColumns(pod, undefined);
    const told = (...statuses: readonly CellValue[]) =>
      hasStatus(
        placed,
        statuses.map(
          (status, at): Row => [`${at}`, pod.columns.map(({ id }) => (id === 'status' ? status : null))],
        ),
      );
    expect(told()).toBe(false);
    expect(told(['No status', 'idle'], ['No status', 'idle'])).toBe(false);
    expect(told(['No status', 'idle'], ['Ready', 'ok'])).toBe(true);
  });

  test('a wide table drops nothing, however narrow the tile', () => {
    expect(ids(300, { isWide: true, columns: {} })).toEqual(pod.columns.map(({ id }) => id));
  });

  test('are kept for each kind, and what does not read as a choice is dropped', () => {
    const choices = { pod: { isWide: true, columns: { ip: false } } };
    expect(readColumns(storeColumns(choices))).toEqual(choices);
    expect(readColumns(null)).toEqual({});
    expect(readColumns('{"version":2,"kinds":{}}')).toEqual({});
    expect(readColumns('{"version":1,"kinds":{"pod":{"columns":{"a":1}},"x":4}}')).toEqual({
      pod: { isWide: false, columns: {} },
    });
    expect(readColumns('no json')).toEqual({});
  });
});
