import type { Column } from '../../../src/registry/kinds/kind.ts';

/** CPU and memory usage of an object: cells of the metrics API, joined by name. */
export const usageColumns = [
  {
    id: 'cpu-usage',
    label: 'CPU used',
    format: 'cores',
    join: 'metrics',
    wide: true,
    dropAt: 6,
    value: () => null,
  },
  {
    id: 'memory-usage',
    label: 'Memory used',
    format: 'bytes',
    join: 'metrics',
    wide: true,
    dropAt: 6,
    value: () => null,
  },
] as const satisfies readonly Column<never>[];
