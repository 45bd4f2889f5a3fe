import type { Command } from '../src/registry/commands/command.ts';
import { objectActionCommands } from '../src/registry/commands/kind-commands.ts';
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
import { actionFactsById, commandKinds } from './kinds/later-facts.ts';
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

/** The one action that only kinds without a file have. */
const scaleOfCustom = actionFactsById('custom.scale');

/** All commands of the console in the order of help and palette. */
export const commands: readonly Command[] = [
  ...paletteActions,
  ...clusterRoutes,
  ...kindRoutes,
  ...releaseRoutes,
  ...objectRoutes,
  ...objectActionCommands(commandKinds, scaleOfCustom === undefined ? [] : [scaleOfCustom]),
  ...objectViews(commandKinds),
  ...followActions(commandKinds),
  ...chatActions(commandKinds),
  ...copyActions(commandKinds),
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
