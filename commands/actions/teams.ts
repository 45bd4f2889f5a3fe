import { action } from '../../src/registry/commands/command.ts';
import type { ToolTurn } from '../../src/registry/commands/services.ts';

const onTeams = (
  id: string,
  what: ToolTurn,
  title: string,
  keys: string,
  route: readonly string[],
  access: 'owner' | 'team',
) =>
  action({
    id: `teams.${id}`,
    title,
    group: 'Account',
    icon: 'teams',
    // Pages of teams show no kind: the same keys mean something else on objects.
    when: { shell: 'app', focus: 'page', kind: 'none', route },
    access,
    keys,
    run: (_, { view, toast }) => {
      if (view.tool()?.turn(what) !== true) toast.info('Wait until the team is there, and try again.');
    },
  });

/** What is done on the page of API tokens. */
export const tokenActions = [
  action({
    id: 'tokens.create',
    title: 'New API token',
    group: 'Account',
    icon: 'account',
    keywords: ['personal access token', 'api key', 'create token', 'bearer', 'script'],
    when: { shell: 'app', focus: 'page', kind: 'none', route: ['settings'] },
    keys: 'c t',
    run: (_, { view, toast }) => {
      if (view.tool()?.turn('newToken') !== true) toast.info('Open the API tokens of the settings first.');
    },
  }),
];

/** What is done on the pages of teams. */
export const teamActions = [
  onTeams('create', 'newTeam', 'New team', 'c t', ['teams', 'teams.one'], 'owner'),
  onTeams('addMember', 'addMember', 'Add a member to the team', 'a', ['teams.one'], 'team'),
  onTeams('grantCluster', 'grantCluster', 'Grant a cluster to the team', 'c g', ['teams.one'], 'owner'),
];
