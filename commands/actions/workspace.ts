import { action } from '../../src/registry/commands/command.ts';
import type { Theme } from '../../src/registry/commands/services.ts';
import { pageFocus } from '../../src/registry/commands/when.ts';
import { toggleSidebar } from './sidebar.ts';

/** The times that usage charts can show, s. */
const usageRangeSeconds = { '15min': 900, '1h': 3_600, '6h': 21_600, '24h': 86_400, '7d': 604_800 } as const;

type UsageRange = keyof typeof usageRangeSeconds;

export const workspaceActions = [
  toggleSidebar,
  action({
    id: 'workspace.toggleMore',
    title: 'Toggle More in the sidebar',
    group: 'Workspace',
    keywords: ['show all kinds', 'hide kinds', 'sidebar group'],
    icon: 'more',
    when: { shell: 'app', cluster: 'selected' },
    run: (_, { appearance }) => appearance.toggleMore(),
  }),
  action({
    id: 'workspace.leave',
    title: 'Back to where this was opened',
    group: 'Workspace',
    keywords: ['return', 'escape'],
    when: { shell: 'app', focus: [...pageFocus, 'log'] },
    keys: 'esc',
    run: ({ source }, { view, workspace, toast }) => {
      if (view.log()?.escape() === true || workspace.leave()) return;
      if (source !== 'key') toast.info('This was not opened from another place.');
    },
  }),
  action<{ tab?: string }>({
    id: 'workspace.closeTab',
    title: 'Close tab',
    group: 'Workspace',
    keywords: ['close'],
    when: { shell: 'app' },
    keys: 'x',
    run: ({ args }, { workspace }) => workspace.closeTab(args.tab),
  }),
  action({
    id: 'workspace.lastTab',
    title: 'Go to the tab shown before',
    group: 'Workspace',
    keywords: ['toggle', 'last', 'previous'],
    when: { shell: 'app' },
    keys: '-',
    run: (_, { workspace, toast }) => {
      if (!workspace.showLast()) toast.info('No other tab was shown before this one.');
    },
  }),
  action({
    id: 'workspace.closeOthers',
    title: 'Close other tabs',
    group: 'Workspace',
    keywords: ['close others', 'only this tab'],
    when: { shell: 'app', tabs: 'many' },
    places: ['tab-menu'],
    run: (_, { workspace }) => workspace.closeOthers(),
  }),
  action({
    id: 'workspace.reopenTab',
    title: 'Reopen closed tab',
    group: 'Workspace',
    keywords: ['restore tab', 'undo close', 'closed tabs'],
    when: { shell: 'app' },
    offered: { closed: 'some' },
    keys: 'shift+x',
    places: ['tab-menu'],
    run: (_, { workspace, toast }) => {
      if (!workspace.reopenTab()) toast.info('No tab was closed that could be opened again.');
    },
  }),
  action({
    id: 'workspace.duplicateTab',
    title: 'Duplicate tab',
    group: 'Workspace',
    keywords: ['clone', 'copy tab', 'second tab'],
    when: { shell: 'app' },
    places: ['tab-menu'],
    run: (_, { workspace }) => workspace.duplicateTab(),
  }),
  action({
    id: 'workspace.clearTabs',
    title: 'Close all tabs',
    group: 'Workspace',
    keywords: ['close everything'],
    when: { shell: 'app' },
    places: ['tab-menu'],
    run: (_, { workspace }) => workspace.clearTabs(),
  }),
  action({
    id: 'workspace.nextTab',
    title: 'Next tab',
    group: 'Workspace',
    when: { shell: 'app' },
    keys: ']',
    run: (_, { workspace }) => workspace.stepTab(1),
  }),
  action({
    id: 'workspace.previousTab',
    title: 'Previous tab',
    group: 'Workspace',
    when: { shell: 'app' },
    keys: '[',
    run: (_, { workspace }) => workspace.stepTab(-1),
  }),
];

export const appearanceActions = [
  action({
    id: 'editor.tabLeaves',
    title: 'Toggle Tab key moves focus',
    group: 'Appearance',
    keywords: ['focus', 'trap', 'move'],
    when: { shell: 'app', overlay: ['none', 'dialog'] },
    // The first is common in editors; macOS reserves it.
    keys: ['mod+m', 'alt+m'],
    run: ({ source }, { appearance, toast }) => {
      const leaves = appearance.toggleTabLeaves();
      if (source !== 'key') toast.info(leaves ? 'Tab now moves the focus.' : 'Tab now indents.');
    },
  }),
  action<{ range?: UsageRange }>({
    id: 'appearance.setUsageRange',
    title: 'Time range of usage charts',
    group: 'Appearance',
    keywords: [
      'time range',
      'usage chart',
      'chart',
      'last hour',
      '15 minutes',
      '1 h',
      '6 hours',
      '24 hours',
      'day',
      'week',
      '7 days',
    ],
    when: { shell: 'app' },
    args: {
      range: {
        type: 'choice',
        label: 'Time range',
        options: [
          { value: '15min', label: '15 min' },
          { value: '1h', label: '1 h', help: 'As long as the console samples usage itself.' },
          { value: '6h', label: '6 h', help: 'Where a Prometheus keeps usage.' },
          { value: '24h', label: '24 h', help: 'Where a Prometheus keeps usage.' },
          { value: '7d', label: '7 d', help: 'Where a Prometheus keeps usage.' },
        ],
        default: '15min',
      },
    },
    run: ({ args }, { appearance, palette }) => {
      if (args.range === undefined) palette.ask('appearance.setUsageRange');
      else appearance.setUsageRange(usageRangeSeconds[args.range]);
    },
  }),
  action<{ theme?: Theme }>({
    id: 'appearance.setTheme',
    title: 'Theme',
    group: 'Appearance',
    icon: 'theme',
    keywords: ['dark mode', 'light mode', 'colour', 'color', 'contrast', 'appearance'],
    args: {
      theme: {
        type: 'choice',
        label: 'Theme',
        options: [
          { value: 'system', label: 'System', help: 'Follows this device.' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ],
        default: 'system',
      },
    },
    places: ['user-menu'],
    run: ({ args }, { appearance }) => {
      const order: readonly Theme[] = ['system', 'light', 'dark'];
      const next = order[(order.indexOf(appearance.theme()) + 1) % order.length] ?? 'system';
      appearance.setTheme(args.theme ?? next);
    },
  }),
];
