import { action } from '../../src/registry/commands/command.ts';

/** Creating resources from YAML. */
export const createActions = [
  action({
    id: 'resource.create',
    title: 'Create Resource',
    group: 'Objects',
    isFirst: true,
    icon: 'create',
    keywords: ['create', 'new', 'add', 'apply', 'yaml', 'manifest', 'paste'],
    when: { shell: 'app' },
    needs: 'resources.manage',
    keys: 'c r',
    run: ({ subject }, { create }) =>
      create.open(
        subject.type === 'none'
          ? {}
          : { clusterId: subject.type === 'cluster' ? subject.cluster : subject.refs[0].cluster },
      ),
  }),
  action({
    id: 'dialog.submit',
    title: 'Confirm the dialog',
    group: 'Workspace',
    isFirst: true,
    when: { shell: 'app', overlay: 'dialog' },
    keys: 'mod+enter',
    run: (_, { dialog }) => dialog.submit(),
  }),
];
