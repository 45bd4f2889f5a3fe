import { action } from '../../src/registry/commands/command.ts';
import type { IconName } from '../../src/registry/icon-name.ts';
import { kindsWithoutFile } from '../../src/registry/commands/kind-commands.ts';
import type { Kind } from '../../src/registry/kinds/kind.ts';
import type { CopiedPart } from '../../src/registry/commands/services.ts';
import { viewFocus } from '../../src/registry/commands/when.ts';

/** Copying what names an object: one line for each of several. */
export const copyActions = (kinds: readonly Pick<Kind, 'id'>[]) => {
  const all = [...kinds.map(({ id }) => id), kindsWithoutFile];
  const copy = (what: CopiedPart, title: string, keys: string, icon: IconName, keywords: readonly string[]) =>
    action({
      id: `object.copy${what.charAt(0).toUpperCase()}${what.slice(1)}`,
      title,
      group: 'Objects',
      icon,
      keywords,
      when: { focus: viewFocus, kind: all },
      actsOn: all,
      takesMany: all,
      keys,
      // The menu of a tab has the link to what the tab shows.
      places: what === 'link' ? ['row-menu'] : ['row-menu', 'tab-menu'],
      enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
      run: async ({ subject }, { clipboard }) => {
        if (subject.type === 'objects') await clipboard.copyObjects(what, subject.refs);
      },
    });
  return [
    copy('name', 'Copy name', 'c n', 'copy', ['copy', 'clipboard', 'yank']),
    copy('kubectl', 'Copy kubectl command', 'c k', 'copy', ['kubectl', 'command line', 'cli', 'clipboard']),
    copy('link', 'Copy link', 'c u', 'link', [
      'url',
      'share',
      'permalink',
      'address',
      'copy url',
      'clipboard',
    ]),
  ];
};

/** Copying the address of what shows. */
export const copyTabActions = [
  action({
    id: 'workspace.copyLink',
    title: 'Copy link to this tab',
    group: 'Workspace',
    icon: 'link',
    keywords: ['url', 'share', 'permalink', 'address', 'copy', 'copy link', 'copy url', 'clipboard'],
    when: { shell: 'app' },
    places: ['tab-menu'],
    run: (_, { clipboard, workspace }) => clipboard.copyLink(workspace.href()),
  }),
];
