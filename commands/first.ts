import type { Command } from '../src/registry/command.ts';
import { commandsOf } from '../src/registry/kind-commands.ts';
import { createActions } from './actions/create.ts';
import { communityActions } from './actions/help.ts';
import { openPalette } from './actions/palette-open.ts';
import { toggleSidebar } from './actions/sidebar.ts';
import { firstFacts } from './kinds/first-facts.ts';
import { accountRoutes } from './routes/account.ts';
import { clusterRoutes } from './routes/cluster.ts';
import { objectRoutes } from './routes/object.ts';
import { releaseRoutes } from './routes/release.ts';
import { settingsRoutes } from './routes/settings.ts';
import { testRoutes } from './routes/tests.ts';

/** The screens that every kind is shown on. */
const screens = {
  list: () => import('../src/web/features/list/ListPage.tsx'),
  detail: () => import('../src/web/features/detail/DetailPage.tsx'),
};

/** List and page of every kind. */
export const kindRoutes: readonly Command[] = firstFacts.flatMap((kind) => commandsOf(kind, screens));

/**
 * What a page begins with: every screen, and what the top bar shows. All commands, `index.ts`, come once the first list is
 * there or somebody asks for one of them; those here are then the same.
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
  ...settingsRoutes,
  ...testRoutes,
  ...accountRoutes,
];
