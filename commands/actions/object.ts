import { permissions } from '../../src/contract/permissions.ts';
import { action, type Needs } from '../../src/registry/command.ts';
import { podsText } from '../../src/registry/pods-log.ts';
import { viewFocus } from '../../src/registry/when.ts';

/** Ways to look at an object other than its overview. */
const view = (
  id: string,
  title: string,
  icon: string,
  keys: string,
  name: string,
  kinds?: readonly string[],
  needs?: Needs,
) =>
  action({
    id,
    title,
    group: 'Objects',
    icon,
    when: { focus: viewFocus, ...(kinds === undefined ? {} : { kind: kinds }) },
    ...(kinds === undefined ? {} : { actsOn: kinds }),
    ...(needs === undefined ? {} : { needs }),
    keys,
    places: ['object-view'],
    enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
    run: ({ subject, target }, { objects }) => {
      if (subject.type === 'objects') objects.open(subject.refs[0], target, name);
    },
  });

/** Whoever may change anything: which object, the server judges. */
const manage = permissions.filter((name) => name.endsWith('.manage'));

/** Kinds whose objects are tied to others: nothing is tied to what is only told, or to a definition. */
const tied = (kinds: readonly string[]) =>
  kinds.filter((id) => id !== 'event' && id !== 'release' && id !== 'customresourcedefinition');

/** Kinds whose objects somebody writes: a release is what Helm made of several. */
const written = (kinds: readonly string[]) => kinds.filter((id) => id !== 'release');

/** The logs of an object, or of several pods together. */
const logs = (kinds: readonly string[]) =>
  action({
    id: 'object.logs',
    title: 'Logs',
    group: 'Objects',
    icon: 'logs',
    when: { focus: viewFocus, kind: kinds },
    actsOn: kinds,
    takesMany: ['pod'],
    needs: 'pods.view',
    keys: 'l',
    places: ['object-view'],
    enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
    run: ({ subject, target }, { objects, workspace }) => {
      if (subject.type !== 'objects') return;
      const [first] = subject.refs;
      if (subject.refs.length === 1 || first.kind !== 'pod') {
        objects.open(first, target, 'logs');
        return;
      }
      const pods = podsText(subject.refs.map(({ namespace = '', name }) => ({ namespace, name })));
      const search = new URLSearchParams({ view: 'logs', pods }).toString();
      workspace.open(`/clusters/${first.cluster}/pods?${search}`, target);
    },
  });

/**
 * @param kinds ids of every kind, as `when` calls them
 * @param logged ids of those that have logs
 */
export const objectViews = (kinds: readonly string[], logged: readonly string[]) => [
  logs(logged),
  view('pod.shell', 'Shell', 'shell', 's', 'shell', ['pod'], 'pods.manage'),
  view('pod.attach', 'Attach', 'attach', 'a', 'attach', ['pod'], 'pods.manage'),
  view('object.yaml', 'YAML', 'yaml', 'y', 'yaml', kinds),
  view('object.edit', 'Edit YAML', 'edit', 'e', 'edit', written(kinds), { any: manage }),
  view('object.compare', 'Compare', 'compare', 'c c', 'compare', written(kinds)),
  view('object.graph', 'Show graph of this', 'graph', 'shift+v', 'graph', tied(kinds)),
];
