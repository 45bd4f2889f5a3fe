import { action } from '../../src/registry/commands/command.ts';

/** The bell of the top bar. */
export const showNotifications = action({
  id: 'notifications.show',
  title: 'Notifications',
  group: 'Account',
  icon: 'bell',
  keywords: ['bell', 'news', 'alerts', 'inbox', 'what I follow', 'unread'],
  when: { shell: 'app' },
  keys: 'g b',
  isFirst: true,
  run: (_, { notifications }) => notifications.toggle(),
});
