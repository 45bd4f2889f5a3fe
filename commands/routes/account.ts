import { route } from '../../src/registry/commands/command.ts';

/** Sign-in and the screens between sign-in and work. None has a top bar, a sidebar or a tab. */
export const accountRoutes = [
  route({
    id: 'account.login',
    title: 'Sign in',
    group: 'Account',
    path: '/login',
    search: ['returnUrl', 'failure', 'provider'],
    access: 'public',
    bare: true,
    load: () => import('../../src/web/screens/Login/Screen.tsx'),
  }),
  // Where a provider leads the window in which somebody confirms their identity.
  route({
    id: 'account.confirmed',
    title: 'Identity confirmed',
    group: 'Account',
    path: '/confirmed',
    search: ['failure', 'provider'],
    access: 'public',
    bare: true,
    load: () => import('../../src/web/screens/Login/Confirmed.tsx'),
  }),
  // Where a payment page of its own window leads back to, and a sign-in while a paid page waits to be told.
  route({
    id: 'subscription.callback',
    title: 'Completing the subscription',
    group: 'Account',
    path: '/subscription/callback',
    search: ['id', 'state'],
    access: 'public',
    bare: true,
    load: () => import('../../src/web/screens/Subscription/Screen.tsx'),
  }),
  route({
    id: 'account.inviteNotFound',
    title: 'Invitation not found',
    group: 'Account',
    path: '/invite-not-found',
    access: 'public',
    bare: true,
    load: () => import('../../src/web/screens/Invite/NotFound.tsx'),
  }),
  route({
    id: 'account.inviteRejected',
    title: 'Invitation declined',
    group: 'Account',
    path: '/invite-rejected',
    access: 'public',
    bare: true,
    load: () => import('../../src/web/screens/Invite/Rejected.tsx'),
  }),
  route({
    id: 'account.setupCompany',
    title: 'Set up your organisation',
    group: 'Account',
    path: '/setup-company',
    bare: true,
    load: () => import('../../src/web/screens/SetupCompany/Screen.tsx'),
  }),
];
