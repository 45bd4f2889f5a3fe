import { action } from '../../src/registry/command.ts';

/** Ways to look at an object other than its overview. */
const view = (
  id: string,
  title: string,
  icon: string,
  keys: string,
  name: string,
  kinds?: readonly string[],
) =>
  action({
    id,
    title,
    group: 'Objects',
    icon,
    when: { focus: ['table', 'page'], ...(kinds === undefined ? {} : { kind: kinds }) },
    ...(kinds === undefined ? {} : { actsOn: kinds }),
    keys,
    enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
    run: ({ subject, target }, { objects }) => {
      if (subject.type === 'objects') objects.open(subject.refs[0], target, name);
    },
  });

/** @param kinds ids of every kind, as `when` calls them */
export const objectViews = (kinds: readonly string[]) => [
  view('object.yaml', 'YAML', 'yaml', 'y', 'yaml', kinds),
  view('pod.logs', 'Logs', 'logs', 'l', 'logs', ['pod']),
];
