import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deployment } from '../../commands/kinds/deployment.ts';
import { event } from '../../commands/kinds/event.ts';
import { pod } from '../../commands/kinds/pod.ts';
import { parseDuration } from '../../src/registry/filter/check.ts';
import { completed, completionsAt } from '../../src/registry/filter/complete.ts';
import { filterExamples } from '../../src/registry/filter/examples.ts';
import { type FilterFields, filterFields } from '../../src/registry/filter/fields.ts';
import { type FilterAtom, quoted, readFilter, withoutTerm } from '../../src/registry/filter/parse.ts';
import { proof } from '../prove.ts';

fc.configureGlobal(proof());

const fields = filterFields(pod.columns);
const problems = (text: string, of = fields) =>
  readFilter(text, of).flatMap(({ problem }) =>
    problem === undefined ? [] : [`${problem.type}: ${problem.text}`],
  );

/** An atom as a short text. */
function brief(atom: FilterAtom): string {
  if (atom.by === 'word') return atom.text;
  if (atom.by === 'regex') return `/${atom.source}/`;
  const checks = atom.checks.map((check) => {
    if (check.type === 'compare')
      return `${check.operator}${check.number}${check.of === 'share' ? ' share' : ''}`;
    if (check.type === 'label')
      return `${check.isNot === true ? 'not ' : ''}${check.key}=${check.value ?? '?'}`;
    if (check.type === 'regex') return `/${check.source}/`;
    return check.type === 'unhealthy' ? check.type : `${check.type} ${check.text}`;
  });
  return `${atom.field.id}${atom.isNot ? ' not' : ''} ${checks.join(', ')}`;
}
const terms = (text: string, of = fields) =>
  readFilter(text, of).map(({ isNot, atoms }) => (isNot ? 'not ' : '') + atoms.map(brief).join(' or '));

describe('a filter is read', () => {
  test.each([
    ['Web  running', ['web', 'running']],
    ['"not ready" x', ['not ready', 'x']],
    [String.raw`"a \"b\" \\"`, [String.raw`a "b" \ `.trimEnd()]],
    ['"open to the end', ['open to the end']],
    ['web|cart', ['web or cart']],
    ['-web|cart', ['not web or cart']],
    ['!web', ['not web']],
    ['web-1 a-b', ['web-1', 'a-b']],
    ['/cart-\\d+/', ['/cart-\\d+/']],
    ['/a b|c/ x', ['/a b|c/', 'x']],
    ['/a/|b', ['/a/ or b']],
    ['/var/log', ['/var/log']],
    ['name:web', ['name part web']],
    ['name:web-*', ['name whole web-*']],
    ['name:"a b"', ['name part a b']],
    ['name:/^a b$/', ['name /^a b$/']],
    ['status=Running', ['status whole running']],
    ['status==Running', ['status whole running']],
    ['status!=Running|Completed', ['status not whole running, whole completed']],
    ['ns:shop|data', ['namespace part shop, part data']],
    ['ns:shop|node:a|b', ['namespace part shop or node part a, part b']],
    ['web|ns:shop', ['web or namespace part shop']],
    ['restarts>100', ['restarts >100']],
    ['RESTARTS>=1k', ['restarts >=1000']],
    ['restarts:5', ['restarts =5']],
    ['restarts:5*', ['restarts whole 5*']],
    ['age<10m', ['age <600']],
    ['age>1h30m', ['age >5400']],
    ['cpu>50m', ['cpu-usage >0.05']],
    ['memory>128mi mem>1g', ['memory-usage >134217728', 'memory-usage >1000000000']],
    ['ready:0/1', ['ready whole 0/1']],
    ['ready<1/2 ready<50% ready>1', ['ready <0.5 share', 'ready <0.5 share', 'ready >1']],
    ['label:app=web label:app', ['labels app=web', 'labels app=?']],
    ['label:app!=web', ['labels not app=web']],
    ['is:unhealthy', ['is unhealthy']],
    ['foo:bar', ['foo:bar']],
    ['foo:"a b" c', ['foo:"a b"', 'c']],
    ['nginx:1.25|redis', ['nginx:1.25 or redis']],
    ['10:30 a=b', ['10:30', 'a=b']],
  ])('%s', (text, expected) => expect(terms(text)).toEqual(expected));

  test('each column has its id, its heading as one word, and its short name', () => {
    const events = filterFields(event.columns);
    const age = event.columns.find(({ format }) => format === 'age');
    expect(age?.label).toBe('Last seen');
    expect(events.get('last-seen')?.id).toBe(age?.id);
    for (const { id, label } of [...pod.columns, ...deployment.columns]) {
      const own = filterFields([...pod.columns, ...deployment.columns]);
      expect(own.get(id)?.id).toBe(id);
      expect(own.get(label.toLowerCase().replaceAll(' ', '-')), label).toBeDefined();
    }
    expect(['ns', 'label', 'cpu', 'memory', 'mem'].map((name) => fields.get(name)?.id)).toEqual([
      'namespace',
      'labels',
      'cpu-usage',
      'memory-usage',
      'memory-usage',
    ]);
  });

  test('times have units', () => {
    expect(['90s', '2d', '1h30m', '1.5h', '10', '', '5x'].map(parseDuration)).toEqual([
      90,
      172_800,
      5_400,
      5_400,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('whatever it is, its terms are in order and together are all of it but the spaces', () => {
    const part = fc.constantFrom(
      ...String.raw`! - " / | \ : = > < * a ns: status!= restarts> label:`.split(' '),
      ' ',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
        (text) => {
          const read = readFilter(text, fields);
          let rest = '';
          let at = 0;
          for (const { from, to } of read) {
            expect(from).toBeGreaterThanOrEqual(at);
            expect(to).toBeGreaterThan(from);
            rest += text.slice(at, from);
            at = to;
          }
          expect((rest + text.slice(at)).trim()).toBe('');
        },
      ),
    );
  });

  test('any text in quotes is that text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
        expect(readFilter(quoted(text), fields).map(({ atoms }) => atoms)).toEqual([
          [{ by: 'word', text: text.toLowerCase() }],
        ]);
      }),
    );
  });
});

/** The names of all columns, as a filter writes them. */
const columnNames = (of: FilterFields) =>
  [...new Set([...of.values()].filter(({ id }) => id !== 'is').map((field) => field.name))].join(', ');

describe('what cannot be read is said in words', () => {
  test.each([
    [
      'foo:bar',
      `note: There is no column “foo”. “foo:bar” is searched as text. The columns are ${columnNames(fields)}.`,
    ],
    [
      'restart>5',
      'note: There is no column “restart”. “restart>5” is searched as text. Did you mean restarts>?',
    ],
    ['app=web', 'note: There is no column “app”. “app=web” is searched as text. A label is label:app=web.'],
    ['restarts>many', "wrong: 'many' is not a number: write restarts>100."],
    ['age<10', "wrong: '10' is not a time with its unit: write age<10m."],
    ['age:10m', "wrong: 'age' needs > or <: write age<10m."],
    ['cpu>lots', "wrong: 'lots' is not an amount of CPU: write cpu>50m."],
    ['memory>1x', "wrong: '1x' is not an amount of memory: write memory>128Mi."],
    ['ready:most', "wrong: 'most' is neither like 0/1 nor a number: write ready:0/1."],
    ['name>web', "wrong: 'name' is a text: write name:text or name=text."],
    ['is:broken', "wrong: There is no 'is:broken': is:unhealthy shows unhealthy objects."],
    ['restarts>', "open: 'restarts>' needs a value, as in restarts>100."],
    ['ns:', "open: 'ns:' needs a value, as in ns:text."],
    ['-', "open: '-' needs the word that is not to be there."],
    ['"', 'open: Close the phrase with a second quote.'],
    ['/cart', "note: '/cart' is searched as text; a regular expression ends with a slash: /cart/"],
    [`/${'a'.repeat(201)}/`, 'wrong: A regular expression has at most 200 characters; this one has 201.'],
    [
      `name:/${'a'.repeat(201)}/`,
      'wrong: A regular expression has at most 200 characters; this one has 201.',
    ],
  ])('%s', (text, expected) => expect(problems(text)).toEqual([expected]));

  test('a column that only other lists have is none here', () => {
    const others = filterFields(deployment.columns);
    expect(columnNames(others)).toContain('name');
    expect(problems('restarts>5', others)).toEqual([
      `note: There is no column “restarts”. “restarts>5” is searched as text. The columns are ${columnNames(others)}.`,
    ]);
  });
});

test('a term is taken away with its space', () => {
  const text = 'web ns:shop  -test';
  const [first, second, third] = readFilter(text, fields);
  expect([first, second, third].map((term) => term && withoutTerm(text, term))).toEqual([
    'ns:shop  -test',
    'web -test',
    'web ns:shop',
  ]);
});

describe('a filter is completed', () => {
  const values = new Map([
    ['shop', 3],
    ['data', 5],
    ['workshop', 9],
    ['a b', 1],
  ]);
  const labels = new Map([
    ['app=web', 2],
    ['app=api', 1],
    ['tier=front', 4],
  ]);
  const offered = (text: string, caret = text.length) =>
    completionsAt(text, caret, fields, ({ sort }) => (sort === 'labels' ? labels : values)).map(
      (one) => one.text,
    );

  test.each([
    ['', []],
    ['web ', []],
    ['rest', ['restarts>']],
    ['web -rest', ['restarts>']],
    ['na', ['ns:', 'name:']],
    ['is', ['is:unhealthy ']],
    ['cp', ['cpu>']],
    ['"na', []],
    ['/na', []],
    ['web|nod', ['node:']],
    ['ns:', ['workshop ', 'data ', 'shop ', '"a b" ']],
    ['ns:sh', ['shop ', 'workshop ']],
    ['ns:shop', ['workshop ']],
    ['ns!=data|SH', ['shop ', 'workshop ']],
    ['ns:"a', ['data ', '"a b" '].toReversed()],
    ['label:', ['tier', 'app']],
    ['label:app=', ['app=web ', 'app=api ']],
    ['age<', ['10m ', '1h ', '1d ', '7d ']],
    ['restarts>', []],
    ['is:', ['unhealthy ']],
    ['foo:', []],
  ])('%s', (text, expected) => expect(offered(text)).toEqual(expected));

  test('in its middle, where a word ends', () => {
    expect(offered('ns:sh web', 5)).toEqual(['shop ', 'workshop ']);
    expect(offered('ns:shop', 5)).toEqual([]);
    const [shop] = completionsAt('ns:sh web', 5, fields, () => values);
    expect(shop && completed('ns:sh web', shop)).toEqual({ text: 'ns:shop web', caret: 7 });
  });
});

test('the help and the documentation show the same examples, and each of them can be read', () => {
  const page = readFileSync(new URL('../../docs/filters.md', import.meta.url), 'utf8');
  for (const [written, meaning] of filterExamples) {
    expect(problems(written), written).toEqual([]);
    const line = page.split('\n').find((one) => one.includes(`\`${written.replaceAll('|', '\\|')}\``));
    expect(line, written).toContain(meaning);
  }
});
