import { action } from '../../src/registry/commands/command.ts';

/** Shown in the top bar, so it loads with the page. */
export const toggleSidebar = action({
  id: 'workspace.toggleSidebar',
  title: 'Toggle sidebar',
  group: 'Workspace',
  isFirst: true,
  icon: 'sidebar',
  keywords: ['hide sidebar', 'show sidebar', 'navigation'],
  when: { shell: 'app' },
  keys: 'mod+b',
  run: (_, { appearance }) => appearance.toggleSidebar(),
});
