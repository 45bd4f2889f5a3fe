import { action } from '../../src/registry/command.ts';

/** Stands in the top bar: there from the first moment. */
export const toggleSidebar = action({
  id: 'workspace.toggleSidebar',
  title: 'Toggle sidebar',
  group: 'Workspace',
  isFirst: true,
  icon: 'sidebar',
  when: { shell: 'app' },
  keys: 'mod+b',
  run: (_, { appearance }) => appearance.toggleSidebar(),
});
