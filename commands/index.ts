import type { Command } from '../src/registry/command.ts';
import { objectActionCommands } from '../src/registry/kind-commands.ts';
import { auditActions } from './actions/audit.ts';
import { chatActions } from './actions/chat.ts';
import { changeActions } from './actions/changes.ts';
import { clusterActions } from './actions/cluster.ts';
import { copyActions, copyTabActions } from './actions/copy.ts';
import { createActions } from './actions/create.ts';
import { graphActions } from './actions/graph.ts';
import { attentionActions } from './actions/attention.ts';
import { followActions, notificationActions } from './actions/follow.ts';
import { showNotifications } from './actions/bell.ts';
import { filterActions } from './actions/filters.ts';
import { compareActions, editActions, readActions } from './actions/read.ts';
import { communityActions } from './actions/community.ts';
import { helpActions } from './actions/help.ts';
import { logActions } from './actions/log.ts';
import { memberActions } from './actions/members.ts';
import { objectViews } from './actions/object.ts';
import { pageActions } from './actions/page.ts';
import { paletteActions } from './actions/palette.ts';
import { replayActions } from './actions/replay.ts';
import { companyActions, sessionActions } from './actions/session.ts';
import { subscriptionActions } from './actions/subscription.ts';
import { tableActions } from './actions/table.ts';
import { teamActions, tokenActions } from './actions/teams.ts';
import { tileActions } from './actions/tiles.ts';
import { webhookActions } from './actions/webhooks.ts';
import { appearanceActions, workspaceActions } from './actions/workspace.ts';
import { kindFacts } from './kinds/facts.ts';
import { kinds } from './kinds/index.ts';
import { customScale } from './kinds/parts/custom-scale.ts';
import { accountRoutes } from './routes/account.ts';
import { clusterRoutes } from './routes/cluster.ts';
import { kindRoutes } from './routes/kinds.ts';
import { objectRoutes } from './routes/object.ts';
import { organisationRoutes } from './routes/organisation.ts';
import { releaseRoutes } from './routes/release.ts';
import { settingsRoutes } from './routes/settings.ts';
import { settingsSections } from './routes/settings-sections.ts';
import { testRoutes } from './routes/tests.ts';
import { templates } from './templates/index.ts';

/** All commands of the console in the order of help and palette. */
export const commands: readonly Command[] = [
  ...paletteActions,
  ...clusterRoutes,
  ...kindRoutes,
  ...releaseRoutes,
  ...objectRoutes,
  ...objectActionCommands(kindFacts, [customScale]),
  ...objectViews(kinds),
  ...followActions(kinds),
  ...chatActions(kinds),
  ...copyActions(kinds),
  ...changeActions,
  ...createActions,
  ...templates,
  ...clusterActions,
  ...notificationActions,
  ...attentionActions,
  ...tableActions,
  ...filterActions,
  ...pageActions,
  ...logActions,
  ...graphActions,
  ...replayActions,
  ...compareActions,
  ...readActions,
  ...teamActions,
  ...memberActions,
  ...webhookActions,
  ...tokenActions,
  ...auditActions,
  ...editActions,
  ...workspaceActions,
  ...copyTabActions,
  ...tileActions,
  ...communityActions,
  ...organisationRoutes,
  ...settingsRoutes,
  ...settingsSections,
  showNotifications,
  ...helpActions,
  ...appearanceActions,
  ...testRoutes,
  ...accountRoutes,
  ...subscriptionActions,
  ...sessionActions,
  ...companyActions,
];
