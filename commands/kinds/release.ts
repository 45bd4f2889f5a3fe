import { shellWord } from '../../src/kube/kubectl.ts';
import { type Release, releaseStorages } from '../../src/kube/helm.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { kindAction } from '../../src/registry/kinds/kind-action.ts';
import type { Facts } from '../../src/registry/kinds/kind-action.ts';
import type { Tone } from '../../src/registry/tone.ts';

const tones: Readonly<Record<string, Tone>> = {
  deployed: 'ok',
  superseded: 'idle',
  uninstalled: 'idle',
  failed: 'bad',
  unknown: 'warn',
};
const seconds = (iso: string | undefined) => {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
};
/** A status as people write it: `Pending upgrade`. */
const statusLabel = (status: string) => {
  const text = status.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
/** The status as a string, whatever the cluster sent. */
const statusIn = ({ status }: Release) => (typeof status === 'string' ? status : 'unknown');
const isPending = (object: Release) => /^(?:pending-|uninstalling$)/.test(statusIn(object));
/** Time after which a pending operation counts as interrupted, seconds: three times what Helm waits by default. */
const patience = 900;
const operationRunning = 'A Helm operation on this release is in progress, or was interrupted.';
const storedTwice =
  'The release has revisions in Secrets and in ConfigMaps, so this console does not change it. Use helm, with HELM_DRIVER set to “secret” or “configmap”.';
/** Where the revisions are stored, whatever was sent. */
const storagesIn = ({ storages }: Release) =>
  releaseStorages.filter((storage) => Array.isArray(storages) && storages.includes(storage));
const idle = ({ facts }: { readonly facts: Facts }): true | string => {
  if (facts['isPending'] === true) return operationRunning;
  return facts['storage'] === 'both' ? storedTwice : true;
};
/** The helm command with the driver that finds the release. */
const helm = (facts: Facts = {}) =>
  facts['storage'] === 'ConfigMap' ? 'HELM_DRIVER=configmap helm' : 'helm';

/** Helm releases, which the server reads from their Secrets or ConfigMaps. Values and manifests also need `secrets.view`. */
export const release = defineKind<Release>({
  id: 'release',
  kind: 'Release',
  group: 'helm.sh',
  version: 'v1',
  plural: 'releases',
  scope: 'Namespaced',
  source: 'helm',
  aliases: ['hr', 'helm', 'releases'],
  title: 'Helm releases',
  icon: 'release',
  permissions: { view: 'namespaces.view', manage: ['resources.manage', 'secrets.view'] },
  paths: {
    list: '/clusters/:clusterId/helm/releases',
    detail: ['/clusters/:clusterId/namespaces/:namespace/releases/:releaseName'],
  },
  sidebar: { section: 'Helm', order: 10, keys: 'g r' },
  status: (object) => {
    const status = statusIn(object);
    const label = statusLabel(status);
    if (!isPending(object)) return { tone: tones[status] ?? 'warn', label };
    const since = seconds(object.updated);
    return since === null
      ? { tone: 'info', label }
      : { tone: 'info', label, later: { at: since + patience, status: { tone: 'warn', label } } };
  },
  milestones: {
    events: ['helm.changed'],
    of(object) {
      if (isPending(object)) return [];
      const status = statusIn(object);
      const known = Object.hasOwn(tones, status) ? status : 'unknown';
      const { revision = 0 } = object;
      return [
        { event: 'helm.changed', mark: `${revision} ${known}`, state: `Revision ${revision} ${known}` },
      ];
    },
    gone: { event: 'helm.changed', state: 'Uninstalled' },
  },
  columns: [
    'namespace',
    'name',
    {
      id: 'installed-in',
      label: 'Installed in',
      format: 'text',
      dropAt: 5,
      links: { to: 'named', kind: 'namespace' },
      value: ({ installedIn }) => installedIn ?? null,
    },
    { id: 'chart', label: 'Chart', format: 'text', value: ({ chart }) => chart?.name ?? null },
    {
      id: 'version',
      label: 'Version',
      format: 'text',
      dropAt: 3,
      value: ({ chart }) => chart?.version ?? null,
    },
    {
      id: 'app-version',
      label: 'App version',
      format: 'text',
      dropAt: 4,
      value: ({ chart }) => chart?.appVersion ?? null,
    },
    {
      id: 'revision',
      label: 'Revision',
      format: 'number',
      dropAt: 2,
      value: ({ revision }) => revision ?? null,
    },
    'status',
    { id: 'updated', label: 'Updated', format: 'age', value: ({ updated }) => seconds(updated) },
    {
      id: 'description',
      label: 'Description',
      format: 'message',
      wide: true,
      dropAt: 6,
      value: ({ description }) => description ?? null,
    },
  ],
  tools: ['values', 'manifest'],
  graph: 'none',
  facts: (object) => ({
    revision: object.revision ?? null,
    status: statusIn(object),
    isPending: isPending(object),
    isOnly: (object.revisions?.length ?? 0) < 2,
    storage: storagesIn(object).length > 1 ? 'both' : (storagesIn(object)[0] ?? 'Secret'),
  }),
  sections: [
    {
      title: 'Release',
      fields: [
        {
          label: 'Chart',
          format: 'text',
          value: ({ chart }) => [chart?.name, chart?.version].filter((part) => part).join(' ') || null,
        },
        {
          label: 'Installed in',
          format: 'text',
          links: { to: 'named', kind: 'namespace' },
          value: ({ installedIn, metadata }) => installedIn ?? metadata?.namespace ?? null,
        },
        { label: 'Stored in', format: 'text', value: ({ metadata }) => metadata?.namespace ?? null },
        {
          label: 'Stored as',
          format: 'text',
          value: (object) =>
            storagesIn(object)
              .map((storage) => `${storage}s`)
              .join(' and ') || null,
        },
        { label: 'About', format: 'text', value: ({ chart }) => chart?.description ?? null },
        { label: 'App version', format: 'text', value: ({ chart }) => chart?.appVersion ?? null },
        { label: 'Revision', format: 'number', value: ({ revision }) => revision ?? null },
        { label: 'Updated', format: 'age', value: ({ updated }) => seconds(updated) },
        { label: 'First deployed', format: 'age', value: ({ firstDeployed }) => seconds(firstDeployed) },
        { label: 'Description', format: 'message', value: ({ description }) => description ?? null },
      ],
    },
    'release',
    'yaml',
  ],
  actions: [
    kindAction<Release, { revision: { type: 'revision'; label: string } }>({
      id: 'release.rollback',
      title: 'Roll back…',
      description:
        'Brings the objects of an earlier revision back, as a new revision. It continues on the server when you leave.',
      done: 'rolled back',
      icon: 'rollback',
      keywords: ['rollback', 'undo', 'revert'],
      keys: 'shift+b',
      prominent: true,
      single: true,
      dangerous: true,
      // It may delete a namespace that the other revision has not.
      isGrave: true,
      endsPods: true,
      args: { revision: { type: 'revision', label: 'Revision' } },
      enabled: ({ facts }) =>
        facts['isOnly'] === true ? 'There is no other revision to roll back to.' : idle({ facts }),
      job: 'releaseRollback',
      kubectl: ({ namespace = '', name }, { revision }, facts) =>
        `${helm(facts)} rollback -n ${shellWord(namespace)} -- ${shellWord(name)} ${revision}`,
    }),
    kindAction<Release>({
      id: 'release.uninstall',
      title: 'Uninstall…',
      description: 'Deletes the objects of the release and its stored revisions.',
      done: 'uninstalled',
      icon: 'delete',
      keywords: ['delete', 'remove'],
      single: true,
      dangerous: true,
      isGrave: true,
      endsPods: true,
      deletes: true,
      job: 'releaseUninstall',
      kubectl: ({ namespace = '', name }, _args, facts) =>
        `${helm(facts)} uninstall -n ${shellWord(namespace)} -- ${shellWord(name)}`,
    }),
  ],
});
