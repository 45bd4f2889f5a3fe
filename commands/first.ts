// npm run first writes this file.
import type { Command } from '../src/registry/commands/command.ts';
import { showNotifications } from './actions/bell.ts';
import { communityActions } from './actions/community.ts';
import { createActions } from './actions/create.ts';
import { openPalette } from './actions/palette-open.ts';
import { toggleSidebar } from './actions/sidebar.ts';
import { accountRoutes } from './routes/account.ts';
import { clusterRoutes } from './routes/cluster.ts';
import { kindRoutes } from './routes/kinds.ts';
import { objectRoutes } from './routes/object.ts';
import { organisationRoutes } from './routes/organisation.ts';
import { releaseRoutes } from './routes/release.ts';
import { settingsRoutes } from './routes/settings.ts';
import { testRoutes } from './routes/tests.ts';

/**
 * What a page begins with: every screen, and the actions whose declaration says `isFirst`. All commands, `index.ts`,
 * come once the first list is there or somebody asks for one of them; those here are then the same.
 */
export const firstCommands: readonly Command[] = [
  ...openPalette,
  ...clusterRoutes,
  ...kindRoutes,
  ...releaseRoutes,
  ...objectRoutes,
  ...createActions,
  toggleSidebar,
  ...communityActions,
  ...organisationRoutes,
  ...settingsRoutes,
  showNotifications,
  ...testRoutes,
  ...accountRoutes,
];
