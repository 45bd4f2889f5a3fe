import { action } from '../../src/registry/commands/command.ts';
import type { FocusedTool, ToolTurn } from '../../src/registry/commands/services.ts';

const onTool =
  (focus: FocusedTool['name'], nothing: string) =>
  (what: ToolTurn, title: string, keys: string, keywords: readonly string[] = []) =>
    action({
      id: `${focus}.${what}`,
      title,
      group: 'Page',
      keywords,
      when: { shell: 'app', focus },
      keys,
      run: (_, { view, toast }) => {
        if (view.tool()?.turn(what) === false) toast.info(nothing);
      },
    });
const onDiff = onTool('diff', 'There is nothing here to do this with: compare two objects first.');
const onYaml = onTool('yaml', 'There is nothing here to do this with.');

/** Moving through a comparison, and copying a value of one side into an edit of the other. */
export const compareActions = [
  action({
    id: 'table.compare',
    title: 'Compare this list with another place',
    group: 'List',
    icon: 'compare',
    keywords: ['diff', 'namespaces', 'clusters', 'missing'],
    when: { focus: 'table' },
    keys: 'c l',
    run: async (_, { view }) => {
      await view.compareList();
    },
  }),
  onDiff('next', 'Next difference', 'n'),
  onDiff('previous', 'Previous difference', 'shift+n'),
  onDiff('status', 'Include or exclude the status', 't'),
  onDiff('toLeft', 'Copy the right side’s value to the left', 'shift+left', ['edit']),
  onDiff('toRight', 'Copy the left side’s value to the right', 'shift+right', ['edit']),
  onDiff('filter', 'Next sort of differences', 'v', ['missing', 'equal']),
  onDiff('again', 'Read both sides again', 'shift+r', ['refresh']),
];

/** Saving what is edited. */
export const editActions = [
  action({
    id: 'editor.save',
    title: 'Review the change, then save it',
    group: 'Page',
    keywords: ['save', 'apply', 'write'],
    when: { shell: 'app', focus: ['text', 'input'] },
    keys: 'mod+s',
    changes: true,
    run: (_, { view, toast }) => {
      if (view.tool()?.turn('save') !== true) toast.info('There is no change here to save.');
    },
  }),
  action({
    id: 'editor.leave',
    title: 'Leave the editor',
    group: 'Page',
    keywords: ['back', 'close', 'escape'],
    when: { shell: 'app', focus: 'text' },
    keys: 'esc',
    run: (_, { view, toast }) => {
      if (view.tool()?.turn('leave') !== true) toast.info('Save or discard what you changed first.');
    },
  }),
  action({
    id: 'editor.enter',
    title: 'Type in the editor',
    group: 'Page',
    keywords: ['edit', 'focus', 'write'],
    when: { shell: 'app', focus: 'text' },
    keys: 'e',
    run: ({ source }, { view, toast }) => {
      if (view.tool()?.turn('enter') !== true && source !== 'key')
        toast.info('There is no text to edit here.');
    },
  }),
];

/** Moving through read-only YAML. */
export const readActions = [
  onYaml('next', 'Next block', 'n'),
  onYaml('previous', 'Previous block', 'shift+n'),
  onYaml('fold', 'Fold the block, or unfold it', 'z'),
  onYaml('foldAll', 'Fold everything, or unfold it', 'shift+z'),
  onYaml('status', 'Show the status, or leave it out', 't'),
  onYaml('copy', 'Copy the YAML', 'shift+c'),
  onYaml('download', 'Download the YAML', 'shift+w'),
];
