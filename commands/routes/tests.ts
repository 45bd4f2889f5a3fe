import { route } from '../../src/registry/commands/command.ts';

/** The build replaces this by `false` and removes the code that depends on it; outside Vite it is undefined. */
const isDevelopment = import.meta.env?.DEV === true;

/** Pages that show every variant of the shared components. */
export const testRoutes = [
  route({
    id: 'tests.toast',
    title: 'Toast test',
    group: 'Appearance',
    icon: 'event',
    path: '/tests/toast-test',
    access: 'public',
    load: () => import('../../src/web/screens/Tests/ToastTest.tsx'),
  }),
  route({
    id: 'tests.actionButton',
    title: 'Action button test',
    group: 'Appearance',
    icon: 'object',
    path: '/tests/action-button-test',
    access: 'public',
    load: () => import('../../src/web/screens/Tests/ActionButtonTest.tsx'),
  }),
  ...(isDevelopment
    ? [
        route({
          id: 'tests.tokens',
          title: 'Tokens',
          group: 'Appearance',
          icon: 'object',
          path: '/tests/tokens',
          access: 'public',
          load: () => import('../../src/web/screens/Tests/Tokens.tsx'),
        }),
      ]
    : []),
];
