import { action } from '../../src/registry/commands/command.ts';
import { kindsWithoutFile } from '../../src/registry/commands/kind-commands.ts';
import type { CommandKind } from '../kinds/later-facts.ts';
import { viewFocus } from '../../src/registry/commands/when.ts';

/** Following clusters and namespaces, and what was told of them. */
export const notificationActions = [
  action({
    id: 'notifications.readAll',
    title: 'Mark all notifications as read',
    group: 'Account',
    icon: 'check',
    keywords: ['bell', 'seen', 'unread'],
    when: { shell: 'app' },
    run: (_, { notifications }) => notifications.changeAll('read'),
  }),
  action({
    id: 'notifications.clearAll',
    title: 'Clear all notifications',
    group: 'Account',
    icon: 'delete',
    keywords: ['bell', 'remove', 'empty', 'dismiss'],
    when: { shell: 'app' },
    run: (_, { notifications }) => notifications.changeAll('clear'),
  }),
  action({
    id: 'cluster.follow',
    title: 'Follow or unfollow this cluster',
    group: 'Cluster',
    icon: 'bell',
    keywords: ['notify', 'notifications', 'subscribe', 'watch', 'bell', 'unsubscribe'],
    when: { shell: 'app', cluster: 'selected' },
    run: async ({ subject }, { notifications }) => {
      const cluster =
        subject.type === 'cluster'
          ? subject.cluster
          : subject.type === 'objects'
            ? subject.refs[0].cluster
            : undefined;
      if (cluster !== undefined) await notifications.follow(Number(cluster), [{}]);
    },
  }),
  action<{ namespace: string }>({
    id: 'cluster.followNamespace',
    title: 'Follow or unfollow a namespace',
    prompt: 'Follow or unfollow a namespace…',
    group: 'Cluster',
    icon: 'bell',
    keywords: ['notify', 'notifications', 'subscribe', 'watch', 'bell', 'ns', 'unsubscribe'],
    when: { shell: 'app', cluster: 'selected' },
    needs: 'namespaces.view',
    args: { namespace: { type: 'namespace', label: 'Namespace' } },
    run: async ({ args: { namespace }, subject }, { notifications, palette }) => {
      if (namespace === undefined) palette.ask('cluster.followNamespace');
      else if (subject.type === 'cluster')
        await notifications.follow(Number(subject.cluster), [namespace === '' ? {} : { namespace }]);
    },
  }),
];

/** Kinds that run pods and have a status: they become ready. */
const isWorkload = ({ logs, isJudged }: Pick<CommandKind, 'logs' | 'isJudged'>) =>
  (logs === 'pods' || logs === 'own') && isJudged === true;

/** Following objects. @param kinds those with a file */
export const followActions = (kinds: readonly Pick<CommandKind, 'id' | 'logs' | 'isJudged'>[]) => {
  const all = [...kinds.map(({ id }) => id), kindsWithoutFile];
  const workloads = kinds.filter(isWorkload).map(({ id }) => id);
  const on = (ids: readonly string[]) => ({
    group: 'Objects' as const,
    icon: 'bell' as const,
    when: { focus: viewFocus, kind: ids },
    actsOn: ids,
    takesMany: ids,
    places: ['row-menu' as const],
  });
  return [
    action({
      ...on(all),
      id: 'object.follow',
      title: 'Follow or unfollow',
      keywords: ['notify', 'notifications', 'subscribe', 'watch', 'bell', 'unsubscribe'],
      keys: 'shift+f',
      enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
      run: async ({ subject, source }, { notifications }) => {
        if (subject.type !== 'objects') return;
        const objects = subject.refs.map(({ cluster: _cluster, ...object }) => ({ object }));
        await notifications.follow(Number(subject.refs[0].cluster), objects, source);
      },
    }),
    action({
      ...on(workloads),
      // Logs and YAML have its key for saving them.
      when: { focus: ['table', 'page'], kind: workloads },
      id: 'object.tellWhenReady',
      title: 'Tell me when this is ready',
      keywords: ['notify', 'wait', 'rollout status', 'done', 'finished', 'bell', 'let me know'],
      keys: 'shift+w',
      enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
      run: async ({ subject, source }, { notifications }) => {
        if (subject.type === 'objects') await notifications.tellWhenReady(subject.refs, source);
      },
    }),
  ];
};
