import { action } from '../../src/registry/commands/command.ts';

/** Commands that open the palette; they load with the page. The key that opens it also closes it. */
export const openPalette = [
  action({
    id: 'palette.open',
    title: 'Search or run a command',
    group: 'Go to',
    isFirst: true,
    icon: 'search',
    when: { shell: 'app', overlay: ['none', 'palette'] },
    keys: 'mod+k',
    run: (_, { palette }) => palette.toggle(),
  }),
  action({
    id: 'palette.kinds',
    title: 'Go to a kind',
    group: 'Go to',
    isFirst: true,
    icon: 'object',
    when: { shell: 'app' },
    keys: ':',
    run: (_, { palette }) => palette.toggle(':'),
  }),
];
