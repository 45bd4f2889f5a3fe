import { type OrgRole, orgRoles, type TeamRole, teamRoles } from '../../src/contract/permissions.ts';
import { action } from '../../src/registry/commands/command.ts';
import type { IconName } from '../../src/registry/icon-name.ts';
import type {
  InvitationAct,
  OrganisationWork,
  PersonAct,
  ToolTurn,
} from '../../src/registry/commands/services.ts';
import type { Clause } from '../../src/registry/commands/when.ts';

/** Where the keys of members work; in the palette their commands are everywhere, and ask for the person. */
const onMembers: Clause = {
  shell: 'app',
  overlay: 'none',
  focus: 'page',
  kind: 'none',
  route: ['members', 'members.one'],
};
const onInvitations: Clause = { ...onMembers, route: 'members' };

const person = { type: 'person', label: 'Person' } as const;
const invitation = { type: 'invitation', label: 'Invitation' } as const;

/** The people of an act, with the state of the one that a menu offers it for. */
interface OnPerson {
  readonly person?: number | readonly number[];
  readonly isSuspended?: boolean;
}

/** Those that are named, else those that are selected or at hand. */
const peopleOf = (
  named: OnPerson['person'],
  organisation: Pick<OrganisationWork, 'people'>,
): readonly number[] => (named === undefined ? organisation.people().map(({ id }) => id) : [named].flat());

/** The argument by which the palette asks for the rest of an act. */
const asPerson = (people: readonly number[]): Pick<OnPerson, 'person'> => {
  const [one, ...others] = people;
  if (one === undefined) return {};
  return { person: others.length === 0 ? one : people };
};

interface PersonCommand {
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly keywords: readonly string[];
  readonly enabled?: (on: OnPerson) => true | string;
  readonly isDangerous?: true;
}

const personAct = (act: PersonAct, { title, icon, keys, keywords, enabled, isDangerous }: PersonCommand) =>
  action<OnPerson>({
    id: `members.${act}`,
    title,
    group: 'Account',
    icon,
    keywords,
    when: { shell: 'app' },
    keysWhen: onMembers,
    access: 'owner',
    keys,
    places: ['person-menu'],
    args: { person },
    changes: true,
    ...(enabled === undefined ? {} : { enabled: ({ args }) => enabled(args) }),
    ...(isDangerous === undefined ? {} : { dangerous: isDangerous }),
    run: async ({ args, source }, { organisation, palette }) => {
      const people = peopleOf(args.person, organisation);
      if (people.length === 0) palette.ask(`members.${act}`);
      else await organisation.act(act, people, source);
    },
  });

const invitationAct = (act: InvitationAct, { title, icon, keys, keywords, isDangerous }: PersonCommand) =>
  action<{ readonly invitation?: number }>({
    id: `invitations.${act}`,
    title,
    group: 'Account',
    icon,
    keywords,
    when: { shell: 'app' },
    keysWhen: onInvitations,
    access: 'owner',
    keys,
    places: ['invitation-menu'],
    args: { invitation },
    changes: true,
    ...(isDangerous === undefined ? {} : { dangerous: isDangerous }),
    run: async ({ args, source }, { organisation, palette }) => {
      const inviteId = args.invitation ?? organisation.invitation()?.id;
      if (inviteId === undefined) palette.ask(`invitations.${act}`);
      else await organisation.actOnInvitation(act, inviteId, source);
    },
  });

/** A command on the list of members itself. */
const onList = (id: string, turn: ToolTurn, title: string, keys: string, keywords: readonly string[]) =>
  action({
    id: `members.${id}`,
    title,
    group: 'Account',
    keywords,
    when: { ...onMembers, route: 'members' },
    access: 'owner',
    keys,
    run: (_, { view, toast }) => {
      if (view.tool()?.turn(turn) !== true) toast.info('Wait until the members are there, and try again.');
    },
  });

/** What Owners do to the people of their company and to those who are invited. */
export const memberActions = [
  onList('search', 'searchPeople', 'Search the members', '/', ['filter', 'find']),
  onList('select', 'selectPerson', 'Select the member', 'v', ['mark']),
  onList('selectAll', 'selectPeople', 'Select all members that show, or none', 'mod+a', ['mark all']),
  action({
    id: 'members.saveCsv',
    title: 'Save the members that show as CSV',
    group: 'Account',
    icon: 'account',
    keywords: ['export', 'download', 'spreadsheet'],
    when: { shell: 'app', focus: 'page', kind: 'none', route: ['members'] },
    access: 'owner',
    run: (_, { view, toast }) => {
      if (view.tool()?.turn('saveCsv') !== true) toast.info('Open the list of members first.');
    },
  }),
  action({
    id: 'members.invite',
    title: 'Invite somebody',
    group: 'Account',
    icon: 'account',
    keywords: ['invitation', 'add user', 'new member', 'mail'],
    when: { shell: 'app', focus: 'page', kind: 'none', route: ['members'] },
    access: 'owner',
    keys: 'c i',
    run: (_, { view, toast }) => {
      if (view.tool()?.turn('invite') !== true) toast.info('Open the list of members first.');
    },
  }),
  action<OnPerson & { readonly role?: string }>({
    id: 'members.role',
    title: 'Change the role of a member…',
    group: 'Account',
    icon: 'role',
    keywords: ['owner', 'admin', 'promote', 'demote', 'organisation role'],
    when: { shell: 'app' },
    keysWhen: onMembers,
    access: 'owner',
    keys: 'r',
    changes: true,
    places: ['person-menu'],
    args: {
      person,
      role: {
        type: 'choice',
        label: 'Role',
        options: [
          { value: String(orgRoles.Owner), label: 'Owner', help: 'Everything, on every cluster.' },
          { value: String(orgRoles.Member), label: 'Member', help: 'What the teams allow.' },
        ],
        default: String(orgRoles.Member),
      },
    },
    run: async ({ args }, { organisation, palette }) => {
      const people = peopleOf(args.person, organisation);
      if (people.length === 0 || args.role === undefined) palette.ask('members.role', asPerson(people));
      else await organisation.setRole(people, Number(args.role) as OrgRole);
    },
  }),
  action<OnPerson & { readonly team?: number; readonly role?: string }>({
    id: 'members.addToTeam',
    title: 'Put a member into a team…',
    group: 'Account',
    icon: 'teams',
    keywords: ['add to team', 'join', 'group', 'team role', 'give access'],
    when: { shell: 'app' },
    keysWhen: onMembers,
    access: 'owner',
    keys: 'a',
    changes: true,
    places: ['person-menu'],
    args: {
      person,
      team: { type: 'team', label: 'Team' },
      role: {
        type: 'choice',
        label: 'Role in the team',
        options: [
          { value: String(teamRoles.Viewer), label: 'Viewer' },
          { value: String(teamRoles.SecretViewer), label: 'SecretViewer' },
          { value: String(teamRoles.TeamAdmin), label: 'TeamAdmin' },
        ],
        default: String(teamRoles.Viewer),
      },
    },
    run: async ({ args }, { organisation, palette }) => {
      const people = peopleOf(args.person, organisation);
      if (people.length === 0 || args.team === undefined || args.role === undefined)
        palette.ask('members.addToTeam', asPerson(people));
      else await organisation.addToTeam(people, args.team, Number(args.role) as TeamRole);
    },
  }),
  personAct('endSessions', {
    title: 'End the sessions of a member…',
    icon: 'logout',
    keys: 'shift+e',
    keywords: ['sign out', 'log out', 'revoke sessions', 'kick'],
  }),
  personAct('suspend', {
    title: 'Suspend a member…',
    icon: 'pause',
    keys: 's',
    keywords: ['block', 'disable user', 'lock out'],
    enabled: ({ isSuspended }) => (isSuspended === true ? 'This person is suspended already.' : true),
    isDangerous: true,
  }),
  personAct('letIn', {
    title: 'Let a suspended member in again',
    icon: 'resume',
    keys: 'l',
    keywords: ['restore', 'unsuspend', 'enable user', 'reinstate'],
    enabled: ({ isSuspended }) => (isSuspended === false ? 'This person is not suspended.' : true),
  }),
  personAct('remove', {
    title: 'Remove a member from the organisation…',
    icon: 'delete',
    keys: 'shift+d',
    keywords: ['delete user', 'offboard', 'expel'],
    isDangerous: true,
  }),
  invitationAct('resend', {
    title: 'Send an invitation again',
    icon: 'restart',
    keys: 'shift+s',
    keywords: ['resend', 'remind', 'new link'],
  }),
  invitationAct('revoke', {
    title: 'Revoke an invitation…',
    icon: 'delete',
    keys: 'shift+r',
    keywords: ['withdraw', 'cancel invitation', 'take back'],
    isDangerous: true,
  }),
];
