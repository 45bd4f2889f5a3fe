import { action } from '../../src/registry/commands/command.ts';
import type { FocusedView } from '../../src/registry/commands/services.ts';
import { pageFocus } from '../../src/registry/commands/when.ts';

const onPage = (
  id: string,
  title: string,
  keys: string | readonly string[],
  run: (view: FocusedView) => Promise<void>,
) =>
  action({
    id: `page.${id}`,
    title,
    group: 'Page',
    when: { shell: 'app', focus: pageFocus },
    keys,
    run: (_, { view }) => run(view),
  });

/** Moving on pages that are not lists: between lines with links, and through the text. */
export const pageActions = [
  onPage('down', 'Next line, or down', ['j', 'down'], (view) => view.walk(1)),
  onPage('up', 'Previous line, or up', ['k', 'up'], (view) => view.walk(-1)),
  onPage('pageDown', 'Scroll down', ['pagedown', 'space'], (view) => view.scroll(1)),
  onPage('pageUp', 'Scroll up', ['pageup', 'shift+space'], (view) => view.scroll(-1)),
  onPage('halfDown', 'Half a page down', 'mod+d', (view) => view.scroll(0.5)),
  onPage('halfUp', 'Half a page up', 'mod+u', (view) => view.scroll(-0.5)),
  onPage('first', 'To the top', ['g g', 'home'], (view) => view.scroll(Number.NEGATIVE_INFINITY)),
  onPage('last', 'To the end', ['shift+g', 'end'], (view) => view.scroll(Number.POSITIVE_INFINITY)),
  action({
    id: 'page.openBeside',
    title: 'Open the line beside',
    group: 'Page',
    keywords: ['split'],
    when: { shell: 'app', focus: pageFocus },
    keys: 'mod+enter',
    run: (_, { view, workspace, toast }) => {
      const path = view.linePath();
      if (path === undefined) toast.info('Go to a line with j or k first.');
      else workspace.open(path, 'split-right');
    },
  }),
];
