import { permissions } from '../../src/contract/permissions.ts';
import { action, type Needs } from '../../src/registry/command.ts';
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

/** Kinds whose objects somebody writes: a release is what Helm made of several. */
const written = (kinds: readonly string[]) => kinds.filter((id) => id !== 'release');

/** @param kinds ids of every kind, as `when` calls them */
export const objectViews = (kinds: readonly string[]) => [
  view('pod.logs', 'Logs', 'logs', 'l', 'logs', ['pod']),
  view('pod.shell', 'Shell', 'shell', 's', 'shell', ['pod'], 'pods.manage'),
  view('pod.attach', 'Attach', 'attach', 'a', 'attach', ['pod'], 'pods.manage'),
  view('object.yaml', 'YAML', 'yaml', 'y', 'yaml', kinds),
  view('object.edit', 'Edit YAML', 'edit', 'e', 'edit', written(kinds), { any: manage }),
  view('object.compare', 'Compare', 'compare', 'c c', 'compare', written(kinds)),
];
