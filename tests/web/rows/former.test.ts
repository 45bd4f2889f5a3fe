import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pod } from '../../../commands/kinds/pod.ts';
import type { CellValue, Row } from '../../../src/contract/live.ts';
import { filterOfSearch, fromFormer, searchOfFilter } from '../../../src/registry/filter/former.ts';
import { fieldsOfColumns, rowFilter, wordsOf } from '../../../src/web/data/rows/filter.ts';
import { proof } from '../../prove.ts';
import { formerFilter } from './former-filter.ts';
import { columns } from './naive.ts';

fc.configureGlobal(proof());

const fields = fieldsOfColumns(columns);

function row(name: string, cells: Readonly<Record<string, CellValue>>): Row {
  const all: Readonly<Record<string, CellValue>> = { name, namespace: 'shop', age: 1_000, ...cells };
  return [name, pod.columns.map(({ id }) => all[id] ?? null)];
}
const rows = [
  row('web-1', {
    status: ['Running', 'ok'],
    ready: '1/1',
    restarts: [0, null],
    node: 'worker-a1',
    labels: ['app=web', 'tier=front'],
  }),
  row('web-10', {
    status: ['CrashLoopBackOff', 'bad'],
    ready: '0/1',
    restarts: [15, 900],
    node: 'worker-b1',
    labels: ['app=web'],
    'cpu-usage': [0.25, 0.5, null],
  }),
  row('db-0', {
    namespace: 'data',
    status: ['Pending', 'warn'],
    ready: '10/10',
    restarts: [5, null],
    node: 'worker-a1',
    labels: ['app=postgres', 'canary='],
  }),
  row('odd', {
    namespace: 'odd',
    status: ['Init:0/1', 'info'],
    node: 'a|b',
    ip: '/var/log/',
    qos: '"best" effort',
    account: 'svc-7d9f',
    'nominated-node': 'restarts>1 app=web d*',
  }),
];
const uids = (passes: (row: Row) => boolean) => rows.filter(passes).map(([uid]) => uid);
/** The rows that a text meant by the former rules. */
function formerly(text: string): readonly string[] {
  const filter = formerFilter(text, columns);
  return uids((one) => filter === undefined || filter(one));
}
/** The rows that the filter of an address means now. */
function today(text: string): readonly string[] {
  const filter = rowFilter(text, columns);
  return uids((one) => filter === undefined || filter.passes(one, wordsOf(one, columns), 2_000));
}

const former: readonly (readonly [text: string, today: string, rows: readonly string[]])[] = [
  ['web', 'web', ['web-1', 'web-10', 'odd']],
  ['WEB shop', 'WEB shop', ['web-1', 'web-10']],
  ['web-1', 'web-1', ['web-1', 'web-10']],
  ['!web', '!web', ['db-0']],
  ['!!web', '!!web', ['web-1', 'web-10', 'odd']],
  ['!', '!', ['web-1', 'web-10', 'db-0', 'odd']],
  ['status:run', 'status:run', ['web-1']],
  ['status:CrashLoop*', 'status:CrashLoop*', ['web-10']],
  ['!status:running', '!status:running', ['web-10', 'db-0', 'odd']],
  ['ns:shop', 'ns:shop', ['web-1', 'web-10']],
  ['namespace:o*d', 'namespace:o*d', ['odd']],
  ['ns:shop !crash', 'ns:shop !crash', ['web-1']],
  ['node:worker-a1', 'node:worker-a1', ['web-1', 'db-0']],
  ['node:a|b', 'node:"a|b"', ['odd']],
  ['a|b', '"a|b"', ['odd']],
  ['-7d9f', '"-7d9f"', ['odd']],
  ['svc-7d9f', 'svc-7d9f', ['odd']],
  ['!-7d9f', '!-7d9f', ['web-1', 'web-10', 'db-0']],
  ['ready:0/1', 'ready:*0/1*', ['web-10', 'db-0']],
  ['ready:1', 'ready:*1*', ['web-1', 'web-10', 'db-0']],
  ['restarts:5', 'restarts:*5*', ['web-10', 'db-0']],
  ['restarts:1*', 'restarts:1*', ['web-10']],
  ['restarts>1', '"restarts>1"', ['odd']],
  ['label:app=web', 'label:app=web', ['web-1', 'web-10']],
  ['label:app', 'label:app', ['web-1', 'web-10', 'db-0']],
  ['label:canary', 'label:canary', ['db-0']],
  ['label:canary=', 'label:canary=', ['db-0']],
  ['labels:app=w*', 'labels:app=w*', ['web-1', 'web-10']],
  ['!label:tier', '!label:tier', ['web-10', 'db-0', 'odd']],
  ['label:app!=web', '"label:app!=web"', []],
  ['app=web', 'app=web', ['odd']],
  ['nothing:here', 'nothing:here', []],
  ['image:web', 'image:web', []],
  ['Init:0/1', 'Init:0/1', ['odd']],
  ['init:0/1', 'init:0/1', ['odd']],
  ['/var/log/', '"/var/log/"', ['odd']],
  ['/var', '"/var"', ['odd']],
  ['ip:/var/log/', 'ip:"/var/log/"', ['odd']],
  ['"best"', '"\\"best\\""', ['odd']],
  ['qos:"best"', 'qos:"\\"best\\""', ['odd']],
  ['cpu:0.25', '"cpu:0.25"', []],
  ['cpu-usage:0.25', 'cpu:*0.25*', ['web-10']],
  ['age:5m', 'age:*5m*', []],
  ['age:*', 'age:*', ['web-1', 'web-10', 'db-0', 'odd']],
  ['d*', 'd*', ['odd']],
  ['is:unhealthy', 'is:unhealthy', ['web-10', 'db-0']],
  ['!is:unhealthy web', '!is:unhealthy web', ['web-1', 'odd']],
  ['IS:Unhealthy', 'IS:Unhealthy', ['web-10', 'db-0']],
  ['is:broken', '"is:broken"', []],
  ['status:', '"status:"', []],
  ['name:db|web', 'name:"db|web"', []],
  ['?', '?', []],
];

describe('a filter of an address from before the language grew', () => {
  test.each(former)('%s is %s now and means the same', (text, now, meant) => {
    expect(formerly(text), 'what it meant').toEqual(meant);
    expect(filterOfSearch({ q: text }, fields)).toBe(now);
    expect(today(now)).toEqual(meant);
  });

  test('means the same, whatever it is', () => {
    const parts =
      String.raw`! - " / | \ : = > < * 0 1 5 . w web ODD run ns node status ready restarts label labels app cpu age is unhealthy`.split(
        ' ',
      );
    const part = fc.constantFrom(...parts);
    const term = fc
      .array(part, { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(''))
      // Several marks and no word once meant nothing or everything, by their number.
      .filter((text) => !/^!{2,}$/.test(text));
    const text = fc.array(term, { maxLength: 3 }).map((terms) => terms.join(' '));
    fc.assert(
      fc.property(text, (former) => {
        expect(today(fromFormer(former, fields))).toEqual(formerly(former));
      }),
    );
  });
});

describe('a filter in an address', () => {
  test.each([
    ['', {}],
    ['web running', { q: 'web running' }],
    ['!web is:unhealthy ', { q: '!web is:unhealthy ' }],
    ['-web', { filter: '-web' }],
    ['restarts>5', { filter: 'restarts>5' }],
    ['ns:shop', { filter: 'ns:shop' }],
  ])('%s', (text, search) =>
    expect(searchOfFilter(text)).toEqual({ q: undefined, filter: undefined, ...search }),
  );

  test('is read again as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (text) => {
        expect(filterOfSearch(searchOfFilter(text), fields)).toBe(text);
      }),
    );
  });
});
