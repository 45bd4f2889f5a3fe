import { route } from '../../src/registry/command.ts';

/** Pages of the organisation: its teams and its people. */
export const organisationRoutes = [
  route({
    id: 'teams',
    title: 'Teams',
    group: 'Account',
    icon: 'teams',
    keywords: ['groups', 'access', 'grants', 'people', 'roles', 'who may'],
    path: '/settings/teams',
    keys: 'g shift+t',
    places: ['topbar', { settings: 'Organisation', order: 10 }],
    load: () => import('../../src/web/screens/Teams/Screen.tsx'),
  }),
  route({
    id: 'teams.one',
    title: () => 'Team',
    group: 'Account',
    icon: 'teams',
    path: '/settings/teams/:teamId',
    load: () => import('../../src/web/screens/Teams/Screen.tsx'),
  }),
  route({
    id: 'members',
    title: 'Members',
    group: 'Account',
    icon: 'account',
    keywords: ['people', 'users', 'owners', 'suspend', 'remove', 'last seen'],
    path: '/settings/organization/members',
    access: 'owner',
    keys: 'g shift+m',
    places: [{ settings: 'Organisation', order: 20 }],
    load: () => import('../../src/web/screens/Members/Screen.tsx'),
  }),
  route({
    id: 'members.one',
    title: () => 'Member',
    group: 'Account',
    icon: 'account',
    path: '/settings/organization/members/:userId',
    access: 'owner',
    load: () => import('../../src/web/screens/Members/MemberScreen.tsx'),
  }),
];
