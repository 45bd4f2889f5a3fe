import { action } from '../../src/registry/commands/command.ts';
import type { FocusedList } from '../../src/registry/commands/services.ts';
import { kindsWithoutFile } from '../../src/registry/commands/kind-commands.ts';
import type { Clause } from '../../src/registry/commands/when.ts';
import { firstFacts } from '../kinds/first-facts.ts';

const onList = (
  id: string,
  title: string,
  keys: string | readonly string[],
  run: (list: FocusedList) => void,
  keywords: readonly string[] = [],
) =>
  action({
    id: `table.${id}`,
    title,
    group: 'List',
    keywords,
    when: { focus: 'table' },
    keys,
    run: (_, { view }) => {
      const list = view.list();
      if (list !== undefined) run(list);
    },
  });

/** Orders with a key of their own, as in k9s; descending for what people look for the largest of. */
const sorts = [
  ['name', 'name', 'shift+n'],
  ['namespace', 'namespace', 'shift+p'],
  ['age', 'age', 'shift+a'],
  ['restarts', '-restarts', 'shift+t'],
  ['CPU', '-cpu-usage', 'shift+c'],
  ['memory', '-memory-usage', 'shift+m'],
] as const;

/** Columns that nearly every list has, also that of a kind without a file. */
const columnsOfAny: readonly string[] = ['name', 'age'];

/** The kinds whose objects are in namespaces; of those without a file nobody knows before their list is there. */
const namespacedKinds = [
  ...firstFacts.filter(({ scope }) => scope === 'Namespaced').map(({ id }) => id),
  kindsWithoutFile,
];

/** The lists that an order is for: those of the kinds with its column. */
function listsWith(column: string): Clause {
  if (columnsOfAny.includes(column)) return { focus: 'table' };
  if (column === 'namespace') return { focus: 'table', kind: namespacedKinds };
  const having = firstFacts.filter(({ columns }) => columns.some(({ id }) => id === column));
  return { focus: 'table', kind: having.map((kind) => kind.id) };
}

/** Moving and filtering in the focused list. */
export const tableActions = [
  onList('filter', 'Filter', '/', (list) => list.focusFilter(), ['search', 'find', 'grep']),
  onList('down', 'Next row', ['j', 'down'], (list) => list.moveCursor(1)),
  onList('up', 'Previous row', ['k', 'up'], (list) => list.moveCursor(-1)),
  onList('first', 'First row', ['g g', 'home'], (list) => list.moveCursor(Number.NEGATIVE_INFINITY)),
  onList('last', 'Last row', ['shift+g', 'end'], (list) => list.moveCursor(Number.POSITIVE_INFINITY)),
  onList('pageDown', 'Page down', 'pagedown', (list) => list.movePage(1)),
  onList('pageUp', 'Page up', 'pageup', (list) => list.movePage(-1)),
  onList('halfDown', 'Half a page down', 'mod+d', (list) => list.movePage(0.5)),
  onList('halfUp', 'Half a page up', 'mod+u', (list) => list.movePage(-0.5)),
  onList('retry', 'Try again now', 'shift+r', (list) => list.retry(), ['refresh', 'reload']),
  onList('settle', 'Sort again', 'o', (list) => list.settle()),
  onList('sortNext', 'Sort by the next column', '>', (list) => list.stepSort(1)),
  onList('sortPrevious', 'Sort by the previous column', '<', (list) => list.stepSort(-1)),
  onList('sortTurn', 'Reverse the sort order', 'shift+o', (list) => list.turnSort()),
  ...sorts.map(([name, sort, keys]) =>
    action({
      id: `table.sortBy${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      title: `Sort by ${name}`,
      group: 'List',
      keywords: ['order'],
      when: listsWith(sort.replace('-', '')),
      keys,
      run: (_, { view, toast }) => {
        if (view.list()?.sortBy(sort) === false) toast.info(`This list has no column for ${name}.`);
      },
    }),
  ),
  onList('select', 'Select the row', 'space', (list) => list.toggleRow()),
  onList(
    'selectTo',
    'Select from the row selected last to this one',
    'shift+space',
    (list) => list.selectToRow(),
    ['range', 'mark'],
  ),
  onList('stretchDown', 'Select this row and the next', 'shift+down', (list) => list.stretchSelection(1), [
    'range',
    'mark',
  ]),
  onList('stretchUp', 'Select this row and the one before', 'shift+up', (list) => list.stretchSelection(-1), [
    'range',
    'mark',
  ]),
  onList('selectAll', 'Select all visible rows', 'mod+a', (list) => list.toggleAll()),
  onList('wide', 'Wide table', 'w w', (list) => list.toggleWide(), ['columns', 'more']),
  onList('unhealthy', 'Only unhealthy objects', 'shift+u', (list) => list.toggleUnhealthy(), [
    'unhealthy',
    'only broken',
    'failing',
    'broken',
    'errors',
    'problems',
    'crashing',
    'crashloop',
    'degraded',
  ]),
  ...(['csv', 'yaml'] as const).map((format) =>
    action({
      id: `table.${format}`,
      title: `Save the list as ${format.toUpperCase()}`,
      group: 'List',
      keywords: ['export', 'download'],
      when: { focus: 'table' },
      run: async (_, { view }) => view.list()?.save(format),
    }),
  ),
  action({
    id: 'table.open',
    title: 'Open',
    keywords: ['describe', 'details', 'show', 'view', 'inspect'],
    group: 'List',
    when: { focus: 'table', row: 'opens' },
    keys: ['enter', 'd'],
    run: ({ target }, { view }) => view.list()?.openRow(target),
  }),
  action({
    id: 'table.openBeside',
    title: 'Open beside',
    group: 'List',
    keywords: ['split'],
    when: { focus: 'table', row: 'opens' },
    keys: 'mod+enter',
    run: (_, { view }) => view.list()?.openRow('split-right'),
  }),
  action({
    id: 'table.escape',
    title: 'Leave or clear the filter',
    group: 'List',
    when: { focus: ['table', 'input'] },
    keys: 'esc',
    run: (_, { view }) => view.list()?.escape(),
  }),
];
