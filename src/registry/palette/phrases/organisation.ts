import type { Phrases } from './phrases.ts';

/** Phrases for people, access, plan and help. */
export const organisationPhrases: Phrases = {
  'access.ask': `
    request admin, request admin for an hour, become admin, temporary admin, temporary access, elevate me,
    elevated access, more rights, more permissions, i need access, need access, i need more rights, access for
    one hour, break glass, breakglass, emergency access, pim, just in time access, jit access, borrow rights,
    sudo, request permission, ask for permission, get admin, ask for rights, su, root access, escalate`,
  'audit.saveCsv': `
    export audit csv, export audit log, download audit log, audit to excel, audit report, audit export`,
  'company.switch': `
    change company, other company, switch company, switch tenant, switch org, change workspace, change
    organisation, change organization, switch organisation, switch organization, other organisation, other
    organization, other tenant, switch account, change account, another company`,
  'help.community': `
    support, contact support, get help, contact, help desk, helpdesk, report a bug, bug report, feedback, forum,
    discord, talk to a human, call someone, email support, customer service, complain, feature request, ticket`,
  'help.whyNot': `
    access denied, permission denied, forbidden, why is it disabled, greyed out, not allowed, 403, why cant i,
    why can i not, why is it grey, why grey, why gray, grayed out, button missing, option missing, missing
    button, missing menu, cannot delete, cannot see, i cant see, no permission, unauthorized, 401, access
    problem, why is this disabled, who can give me access, not permitted, blocked`,
  'invitations.resend': `
    resend invite, resend invitation, send invite again, invitation email not received, invite expired,
    invitation expired, did not get email`,
  'invitations.revoke': `
    cancel invite, cancel invitation, delete invitation, withdraw invite, pending invites, invited by mistake,
    take back invitation, revoke invite`,
  members: `
    organisation members, company members, who works here, list of people, admins, owners, who is in my company,
    invite colleague, invite user, add colleague, add person, add people, user management, manage users,
    employees, list users, new user, who has access, user list, staff, colleagues, coworkers, people, everybody,
    everyone in org, who is here, user accounts, accounts, add user, add users, add a user, add member, add
    someone, invite, invite someone, invite people, invite a person, invite by email, send invitation, pending
    invites, pending invitations, open invitations, who was invited, invitations, new joiner, new employee, new
    hire, new colleague, onboard, onboarding, onboard someone, team mates, teammates, contacts, directory, iam
    users, user directory, who is the owner, who is admin, account owner, last login, inactive users, seats
    used, number of users, how many users, how many people, user administration, admin panel, list people, find
    a person`,
  'members.addToTeam': `
    give access, grant access, add to group, give permission, add someone to team, add someone to my team, add
    to team, add user to team, put in team, give bob access, give someone access, give user access, give access
    to prod, assign to team, grant access to user, add user to group, join team`,
  'members.endSessions': `
    log somebody out, kick user, sign out user, force logout, sign someone out, terminate sessions, kill
    sessions, revoke sessions, log out user, end session of user, log everyone out`,
  'members.invite': `
    invite a colleague, invite somebody, add a person, send invite, new user, add someone, new hire, new joiner,
    onboard`,
  'members.letIn': `
    unblock user, reactivate user, unlock user, enable account, unsuspend, unban, unlock account`,
  'members.remove': `
    remove user, kick out, delete account of, fire someone, offboarding, remove someone, remove person, remove
    employee, remove from organisation, delete user, delete member, delete account, revoke access, take away
    access, somebody left, employee leaving, leaving employee, colleague leaves, person left, employee left,
    leaver, terminate user, offboard, kick someone, throw out, deprovision`,
  'members.role': `
    make admin, make owner, promote user, change role, change role of user, make someone admin, make somebody
    admin, make him admin, make her admin, give admin, give admin rights, promote, demote, take away admin,
    remove admin, downgrade user, owner rights, transfer ownership, change permissions of user, change user
    role, set role, viewer role, assign role, user roles, rbac for users, admin role, read only user, read only access, readonly user, view only, make read only`,
  'members.suspend': `
    lock user, ban user, deactivate user, block user, disable account, disable user, disable user account,
    suspend user, freeze account, lock account, lock out, revoke access, stop access, block account, ban, pause
    user, suspend account`,
  permissions: `
    who can delete, who can, who may, access control, what can roles do, rbac, role permissions, who has access,
    security settings, role definitions, roles and permissions, rbac for users, user rbac, product roles, custom
    role, custom roles, edit role, permission matrix, access matrix, who can exec, who can exec into pods, who
    can see secrets, who can read secrets, who can restart, who can deploy, who can edit, who has rights, what
    may a viewer do, what can a viewer do, viewer, editor, acl, authorisation, authorization, entitlements,
    privileges, policies, access policy, access rights, role based access control, least privilege, segregation
    of duties, read only user, read only access, read only role, view only`,
  'permissions.own': `
    what can i do, my access, am i admin, can i, whoami, auth can-i, kubectl auth can-i, my role, what am i
    allowed to do, what am i allowed, am i allowed, what may i do, can i delete, my privileges, my rights, do i
    have access, my permission, auth whoami, kubectl auth whoami, who am i, what is my role, which team am i in,
    my teams, own permissions, can i do this`,
  'session.logout': `
    exit, log out, logoff, log off, sign off, end session, leave, bye, sign me out, switch user, sign out,
    signout, logout, log me out, disconnect, leave the app, end my session, quit session, close session, finish
    work`,
  'subscription.plans': `
    upgrade to pro, go pro, pro plan, buy, purchase, upgrade, enterprise plan, get more clusters, compare plans,
    price list, prices, pricing, how much is it, cost, plans, yearly, upgrade our plan, free plan, downgrade
    plan, change plan, higher plan, team plan, more seats, buy licence, buy license`,
  teams: `
    groups, manage access, grant access, give access, new team, create team, user groups, share cluster, create
    a team, make a team, add team, new group, create group, team list, departments, squads, give team access,
    share cluster with, cluster access, access to cluster, access to clusters, grant cluster, assign cluster,
    give access to prod, give bob access to prod, who has access to cluster, which team, my team, team members,
    groups of people, user group, organisational units, revoke cluster access, revoke access, remove from team,
    team management, teams and access`,
  'tokens.create': `
    make a token, token for ci, key for script, create api key, new api key, generate api key`,
  'webhooks.add': `
    send alerts, email alert, slack alert, slack notification, teams message, send to slack, integrate slack,
    pagerduty, discord, alerting, integration, web hooks, web hook, webhook, webhooks, new webhook, notify
    slack, post to slack, slack integration, teams integration, ms teams, microsoft teams, mattermost, opsgenie,
    google chat, telegram, zapier, integrations, email notifications, email me, email alerts, email me when
    something fails, mail alerts, sms alert, notification settings, alert settings, alert rules, alerting rules,
    send notifications, http callback, notification channel, alert channel, connect slack, add slack`,
  'webhooks.change': `
    edit webhook, change slack channel, webhooks, web hooks, disable webhook, turn off webhook`,
  'webhooks.delete': `
    remove webhook, disconnect slack, remove integration`,
  'webhooks.log': `
    webhook failed, webhook history, webhook deliveries, test webhook`,
  'webhooks.renew': `
    rotate webhook secret, webhook secret, signing key`,
};
