import { action } from '../../src/registry/commands/command.ts';

export const companyActions = [
  action<{ companyId: number }>({
    id: 'company.switch',
    title: 'Switch organisation',
    prompt: 'Switch organisation…',
    group: 'Account',
    icon: 'teams',
    keywords: ['company', 'change organisation', 'tenant'],
    when: { shell: 'app' },
    keys: 'c o',
    args: { companyId: { type: 'company', label: 'Organisation' } },
    run: ({ args }, { session, palette }) =>
      args.companyId === undefined ? palette.ask('company.switch') : session.switchCompany(args.companyId),
  }),
];

export const sessionActions = [
  action({
    id: 'session.logout',
    title: 'Logout',
    group: 'Account',
    icon: 'logout',
    keywords: ['sign out', 'log out', 'quit', 'exit'],
    when: { shell: 'app' },
    places: ['user-menu'],
    run: (_, { session }) => session.logout(),
  }),
];
