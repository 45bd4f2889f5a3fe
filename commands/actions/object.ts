import { permissions } from '../../src/contract/permissions.ts';
import { action, type Needs } from '../../src/registry/commands/command.ts';
import type { IconName } from '../../src/registry/icon-name.ts';
import type { Kind } from '../../src/registry/kinds/kind.ts';
import { kindsWithoutFile } from '../../src/registry/commands/kind-commands.ts';
import { type ObjectTool, toolNeeds, toolsOf } from '../../src/registry/kinds/object-tools.ts';
import { fillPath } from '../../src/registry/path.ts';
import { podsText } from '../../src/registry/kinds/pods-log.ts';
import { viewFocus } from '../../src/registry/commands/when.ts';

/** A view of an object other than its overview. */
const view = (
  id: string,
  title: string,
  icon: IconName,
  keys: string,
  name: ObjectTool,
  kinds: readonly string[],
  keywords: readonly string[],
  needs: Needs | undefined = toolNeeds[name],
) =>
  action({
    id,
    title,
    group: 'Objects',
    keywords,
    icon,
    when: { focus: viewFocus, kind: kinds },
    actsOn: kinds,
    ...(needs === undefined ? {} : { needs }),
    keys,
    places: ['object-view'],
    enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
    run: ({ subject, target }, { objects }) => {
      if (subject.type === 'objects') objects.open(subject.refs[0], target, name);
    },
  });

/** Anyone who may change some kind; the server decides for each object. */
const manage = permissions.filter((name) => name.endsWith('.manage'));

type Tooled = Pick<Kind, 'id' | 'tools'>;

/** The tools of all kinds without a file. */
const withoutFile: Tooled = {
  id: kindsWithoutFile,
  tools: toolsOf({ hasLogs: false, hasGraph: true, isInApi: true }),
};

/** The logs of an object, or the joint logs of several objects of the kind that has logs of its own. */
const logs = (kinds: readonly string[], own: Pick<Kind, 'id' | 'paths'> | undefined) =>
  action({
    id: 'object.logs',
    title: 'Logs',
    group: 'Objects',
    keywords: ['log', 'tail', 'output', 'stdout'],
    icon: 'logs',
    when: { focus: viewFocus, kind: kinds },
    actsOn: kinds,
    takesMany: own === undefined ? [] : [own.id],
    ...(toolNeeds.logs === undefined ? {} : { needs: toolNeeds.logs }),
    keys: 'l',
    places: ['object-view'],
    enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
    run: ({ subject, target }, { objects, workspace }) => {
      if (subject.type !== 'objects') return;
      const [first] = subject.refs;
      if (subject.refs.length === 1 || own === undefined || first.kind !== own.id) {
        objects.open(first, target, 'logs');
        return;
      }
      const pods = podsText(subject.refs.map(({ namespace = '', name }) => ({ namespace, name })));
      const search = new URLSearchParams({ view: 'logs', pods }).toString();
      workspace.open(`${fillPath(own.paths.list, { clusterId: first.cluster })}?${search}`, target);
    },
  });

/** The log of the run before, of objects that have logs of their own. */
const previousLogs = (kinds: readonly string[]) =>
  action({
    id: 'object.previousLogs',
    title: 'Logs of the run before',
    group: 'Objects',
    keywords: ['previous logs', 'previous', 'last crash', 'crash log'],
    icon: 'logs',
    when: { focus: ['table', 'page'], kind: kinds },
    actsOn: kinds,
    ...(toolNeeds.logs === undefined ? {} : { needs: toolNeeds.logs }),
    keys: 'p',
    enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
    run: ({ subject, target }, { objects }) => {
      if (subject.type === 'objects') objects.open(subject.refs[0], target, 'logs', { previous: 'true' });
    },
  });

/** The views of an object, each for the kinds that have it. @param kinds those with a file */
export const objectViews = (kinds: readonly (Tooled & Pick<Kind, 'logs' | 'paths'>)[]) => {
  const having = (...wanted: readonly ObjectTool[]) =>
    [...kinds, withoutFile]
      .filter(({ tools }) => tools.some((tool) => wanted.includes(tool)))
      .map(({ id }) => id);
  return [
    logs(
      having('logs'),
      kinds.find((kind) => kind.logs === 'own'),
    ),
    previousLogs(kinds.filter((kind) => kind.logs === 'own').map(({ id }) => id)),
    view('pod.shell', 'Shell', 'shell', 's', 'shell', having('shell'), [
      'exec',
      'ssh',
      'sh',
      'bash',
      'terminal',
      'console',
    ]),
    view('pod.attach', 'Attach', 'attach', 'a', 'attach', having('attach'), ['tty', 'terminal']),
    // The YAML of a release is its manifest.
    view('object.yaml', 'YAML', 'yaml', 'y', 'yaml', having('yaml', 'manifest'), [
      'manifest',
      'raw',
      'source',
      'spec',
    ]),
    view('object.edit', 'Edit YAML', 'edit', 'e', 'edit', having('edit'), ['edit', 'change', 'modify'], {
      any: manage,
    }),
    view('object.compare', 'Compare', 'compare', 'c c', 'compare', having('compare'), ['diff', 'difference']),
    view('object.graph', 'Show graph of this', 'graph', 'shift+v', 'graph', having('graph'), [
      'graph',
      'tree',
      'map',
      'relations',
      'xray',
    ]),
    view('object.why', 'Why is this unhealthy?', 'help', '!', 'why', having('why'), [
      'why',
      'diagnose',
      'diagnosis',
      'cause',
      'findings',
    ]),
  ];
};
