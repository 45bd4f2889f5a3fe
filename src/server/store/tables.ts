import * as accounts from './schema/accounts.ts';
import * as audit from './schema/audit.ts';
import * as chat from './schema/chat.ts';
import * as billing from './schema/billing.ts';
import * as clusters from './schema/clusters.ts';
import * as companies from './schema/companies.ts';
import * as fleet from './schema/fleet.ts';
import * as identities from './schema/identities.ts';
import * as installation from './schema/installation.ts';
import * as jobs from './schema/jobs.ts';
import * as mails from './schema/mails.ts';
import * as memberships from './schema/memberships.ts';
import * as notifications from './schema/notifications.ts';
import * as openShells from './schema/open-shells.ts';
import * as passkeys from './schema/passkeys.ts';
import * as profile from './schema/profile.ts';
import * as recordings from './schema/recordings.ts';
import * as servers from './schema/servers.ts';
import * as sessions from './schema/sessions.ts';
import * as teams from './schema/teams.ts';
import * as temporaryAccess from './schema/temporary-access.ts';
import * as tokens from './schema/tokens.ts';
import * as troubles from './schema/troubles.ts';
import * as webhooks from './schema/webhooks.ts';

/** Every table of the store; a test compares it with the files of `schema`. */
export const schema = {
  ...accounts,
  ...audit,
  ...chat,
  ...billing,
  ...clusters,
  ...companies,
  ...fleet,
  ...identities,
  ...installation,
  ...jobs,
  ...mails,
  ...memberships,
  ...notifications,
  ...openShells,
  ...passkeys,
  ...profile,
  ...recordings,
  ...servers,
  ...sessions,
  ...teams,
  ...temporaryAccess,
  ...tokens,
  ...troubles,
  ...webhooks,
};
