import { action } from '../../src/registry/commands/command.ts';
import type { GraphStep } from '../../src/registry/commands/services.ts';

const steps: readonly (readonly [step: GraphStep, title: string, keys: string | readonly string[]])[] = [
  ['down', 'Next object', ['j', 'down']],
  ['up', 'Previous object', ['k', 'up']],
  ['left', 'Against the edge, or close', 'left'],
  ['right', 'Along the edge, or open', 'right'],
  ['first', 'First object', ['g g', 'home']],
  ['last', 'Last object', ['shift+g', 'end']],
  ['open', 'Open the object', 'enter'],
  ['beside', 'Open the object beside', 'mod+enter'],
  ['fold', 'Expand or collapse', 'space'],
  ['zoomIn', 'Zoom in', ['+', '=']],
  ['zoomOut', 'Zoom out', '-'],
  ['fit', 'Show the whole graph', '0'],
  ['form', 'Graph or tree', 't'],
];

/** Moving through a graph of objects, drawn or as a tree. */
export const graphActions = steps.map(([step, title, keys]) =>
  action({
    id: `graph.${step}`,
    title,
    group: 'Graph',
    when: { shell: 'app', focus: 'graph' },
    keys,
    run: (_, { view }) => view.graph()?.do(step),
  }),
);
