import { route } from '../../src/registry/command.ts';

/** The build puts `false` in this place, and drops what depends on it; outside of Vite nothing is there. */
const isDevelopment = import.meta.env?.DEV === true;

/** Pages that show every form of a shared piece. */
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
