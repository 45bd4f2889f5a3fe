import { action } from '../../src/registry/commands/command.ts';
import type { TileSide } from '../../src/registry/commands/services.ts';
import { anyViewFocus } from '../../src/registry/commands/when.ts';

const inApp = { shell: 'app' } as const;
const divided = { shell: 'app', tiles: 'many' } as const;

interface SideWords {
  readonly side: TileSide;
  readonly letter: string;
  /** The tile's position: "the tile on the left". */
  readonly place: string;
  readonly name: string;
}

const sides: readonly SideWords[] = [
  { side: 'left', letter: 'h', place: 'on the left', name: 'Left' },
  { side: 'down', letter: 'j', place: 'below', name: 'Down' },
  { side: 'up', letter: 'k', place: 'above', name: 'Up' },
  { side: 'right', letter: 'l', place: 'on the right', name: 'Right' },
];

/** Splitting the workspace and moving in it. */
export const tileActions = [
  action({
    id: 'workspace.splitRight',
    title: 'Split right',
    group: 'Workspace',
    keywords: ['split', 'vsplit', 'tile', 'pane', 'two panes', 'vertical', 'side by side'],
    when: inApp,
    keys: ['w v', 'mod+\\'],
    places: ['tab-menu'],
    run: (_, { workspace }) => workspace.split('right'),
  }),
  action({
    id: 'workspace.splitDown',
    title: 'Split down',
    group: 'Workspace',
    keywords: ['hsplit', 'tile', 'horizontal'],
    when: inApp,
    keys: 'w s',
    places: ['tab-menu'],
    run: (_, { workspace }) => workspace.split('down'),
  }),
  ...sides.map(({ side, letter, place, name }) =>
    action({
      id: `workspace.focus${name}`,
      title: `Go to the tile ${place}`,
      group: 'Workspace',
      keywords: ['focus'],
      when: divided,
      keys: `w ${letter}`,
      run: (_, { workspace }) => workspace.focusTile(side),
    }),
  ),
  action({
    id: 'workspace.nextTile',
    title: 'Go to the next tile',
    group: 'Workspace',
    keywords: ['focus'],
    when: divided,
    keys: 'w n',
    run: (_, { workspace }) => workspace.stepTile(1),
  }),
  action({
    id: 'workspace.previousTile',
    title: 'Go to the previous tile',
    group: 'Workspace',
    keywords: ['focus'],
    when: divided,
    run: (_, { workspace }) => workspace.stepTile(-1),
  }),
  ...sides.map(({ side, letter, name }) =>
    action({
      id: `workspace.moveTile${name}`,
      title: `Move tile ${side}`,
      group: 'Workspace',
      when: divided,
      keys: `w shift+${letter}`,
      run: (_, { workspace }) => workspace.moveTile(side),
    }),
  ),
  ...sides.map(({ side, letter, name }) =>
    action({
      id: `workspace.moveTab${name}`,
      title: `Move tab ${side}`,
      group: 'Workspace',
      keywords: ['tile'],
      when: inApp,
      keys: `m ${letter}`,
      run: (_, { workspace }) => workspace.moveTab(side),
    }),
  ),
  action({
    id: 'workspace.wider',
    title: 'Make tile wider',
    group: 'Workspace',
    keywords: ['resize'],
    when: divided,
    keys: 'w >',
    run: (_, { workspace }) => workspace.resizeTile('row', 5),
  }),
  action({
    id: 'workspace.narrower',
    title: 'Make tile narrower',
    group: 'Workspace',
    keywords: ['resize'],
    when: divided,
    keys: 'w <',
    run: (_, { workspace }) => workspace.resizeTile('row', -5),
  }),
  action({
    id: 'workspace.taller',
    title: 'Make tile taller',
    group: 'Workspace',
    keywords: ['resize'],
    when: divided,
    keys: 'w +',
    run: (_, { workspace }) => workspace.resizeTile('column', 5),
  }),
  action({
    id: 'workspace.shorter',
    title: 'Make tile shorter',
    group: 'Workspace',
    keywords: ['resize'],
    when: divided,
    keys: 'w -',
    run: (_, { workspace }) => workspace.resizeTile('column', -5),
  }),
  action({
    id: 'workspace.equalise',
    title: 'Make tiles the same size',
    group: 'Workspace',
    keywords: ['resize', 'equal', 'equalize', 'equalise', 'balance'],
    when: divided,
    keys: 'w =',
    run: (_, { workspace }) => workspace.equaliseTiles(),
  }),
  action({
    id: 'workspace.maximise',
    title: 'Maximise tile, or show all again',
    group: 'Workspace',
    keywords: ['maximize', 'zoom', 'full screen', 'fullscreen', 'restore'],
    when: divided,
    keys: 'w m',
    places: ['tab-menu'],
    run: (_, { workspace }) => workspace.toggleMaximised(),
  }),
  action({
    id: 'workspace.fullScreen',
    title: 'Full screen, or the window again',
    group: 'Workspace',
    keywords: ['maximize', 'maximise', 'zoom', 'full screen', 'fullscreen', 'whole screen'],
    // One tile fills the window already.
    when: { shell: 'app', tiles: 'one' },
    run: (_, { appearance }) => appearance.toggleFullScreen(),
  }),
  action({
    id: 'workspace.cancelDrag',
    title: 'Cancel the drag',
    group: 'Workspace',
    when: { shell: 'app', overlay: 'drag', focus: [...anyViewFocus, 'input', 'terminal', 'none'] },
    keys: 'esc',
    run: (_, { workspace }) => workspace.cancelDrag(),
  }),
  action({
    id: 'workspace.closeTile',
    title: 'Close tile',
    group: 'Workspace',
    keywords: ['close split', 'unsplit'],
    when: divided,
    keys: 'w q',
    places: ['tab-menu'],
    run: (_, { workspace }) => workspace.closeTile(),
  }),
];
