import { action } from '../../src/registry/commands/command.ts';
import type { PaletteService } from '../../src/registry/commands/services.ts';
import { anyViewFocus, type When } from '../../src/registry/commands/when.ts';
import { openPalette } from './palette-open.ts';

/** Whether the focus is in the palette's field or on a button in it. */
const open = { shell: 'app', overlay: 'palette', focus: ['input', 'none', ...anyViewFocus] } as const;

const inPalette = (
  id: string,
  title: string,
  keys: string,
  run: (palette: PaletteService) => void,
  when: When = open,
) =>
  action({
    id: `palette.${id}`,
    title,
    group: 'Palette',
    when,
    keys,
    run: (_, { palette }) => run(palette),
  });

/** Commands that open the palette, and its own keys. */
export const paletteActions = [
  ...openPalette,
  inPalette('run', 'Run what is highlighted', 'enter', (palette) => palette.take('here')),
  inPalette('runBeside', 'Run it in a split', 'mod+enter', (palette) => palette.take('split-right')),
  inPalette(
    'actions',
    'What can be done with the highlighted object',
    'right',
    (palette) => palette.openActions(),
    {
      ...open,
      entry: 'actions',
    },
  ),
  inPalette('down', 'Next entry', 'down', (palette) => palette.move(1)),
  inPalette('up', 'Previous entry', 'up', (palette) => palette.move(-1)),
  inPalette('pageDown', 'Entries further down', 'pagedown', (palette) => palette.move(8)),
  inPalette('pageUp', 'Entries further up', 'pageup', (palette) => palette.move(-8)),
  inPalette('back', 'One step back, or close', 'esc', (palette) => palette.back()),
];
