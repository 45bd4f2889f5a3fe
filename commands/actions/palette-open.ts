import { action } from '../../src/registry/command.ts';

/** Ways into the palette, there from the first moment. The key that opens it closes it as well. */
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
