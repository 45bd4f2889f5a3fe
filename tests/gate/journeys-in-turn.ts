/**
 * End-to-end files that a third of the commits run in the gate, with the sources that they prove: below these a change
 * always gives a file its turn. `npm run prove` and every run beside the gate run them all. Files with a journey
 * `inBothHands` and those about a start are not among them: each commit runs them.
 */
export const journeysInTurn: Readonly<Record<string, readonly string[]>> = {
  'tests/e2e/addresses.spec.ts': ['src/web/routing', 'src/registry/path.ts'],
  'tests/e2e/audit.spec.ts': [
    'src/web/screens/Audit',
    'src/server/audit',
    'src/server/streams',
    'commands/actions/audit.ts',
  ],
  'tests/e2e/chat.spec.ts': ['src/web/screens/Chat', 'src/server/chat', 'commands/actions/chat.ts'],
  'tests/e2e/created.spec.ts': ['src/web/features/jobs', 'src/server/jobs'],
  'tests/e2e/custom-resources.spec.ts': [
    'src/registry/custom-status',
    'src/web/shell/CustomKinds.tsx',
    'src/web/shell/custom-entries.ts',
  ],
  'tests/e2e/dashboard.spec.ts': [
    'src/web/screens/Home',
    'src/web/screens/Cluster',
    'src/web/features/attention',
    'src/registry/kinds/attention.ts',
  ],
  'tests/e2e/database.spec.ts': ['src/server/store/open.ts', 'src/web/shell/StoreNotice.tsx'],
  'tests/e2e/details.spec.ts': ['src/web/features/detail', 'src/server/diagnosis'],
  'tests/e2e/editing.spec.ts': ['src/web/features/edit', 'src/web/features/editor', 'src/web/keyboard'],
  'tests/e2e/focus.spec.ts': ['src/web/shell/use-focus-kept.ts', 'src/web/kit/Dialog.tsx'],
  'tests/e2e/graph.spec.ts': ['src/web/screens/Graph', 'src/web/features/graph'],
  'tests/e2e/heard.spec.ts': ['tests/e2e/heard', 'src/web/features/list', 'src/web/features/palette'],
  'tests/e2e/keys.spec.ts': ['src/web/keyboard', 'src/registry/keys/keys.ts', 'src/registry/keys/keymap.ts'],
  'tests/e2e/lists.spec.ts': ['src/web/features/list', 'src/registry/filter'],
  'tests/e2e/logs.spec.ts': ['src/web/features/logs', 'src/server/logs', 'commands/actions/log.ts'],
  'tests/e2e/palette-list.spec.ts': ['src/web/features/palette'],
  'tests/e2e/palette.spec.ts': ['src/web/features/palette', 'src/server/search'],
  'tests/e2e/pods-list.spec.ts': ['src/web/data/live', 'src/web/data/socket', 'src/web/features/list'],
  'tests/e2e/shell-rules.spec.ts': [
    'src/web/shell',
    'src/web/screens/ClusterRules',
    'src/server/webhooks',
    'commands/actions/webhooks.ts',
  ],
  'tests/e2e/shell.spec.ts': ['src/web/shell', 'src/web/core'],
  'tests/e2e/subscription.spec.ts': [
    'src/web/features/subscription',
    'src/web/screens/Subscription',
    'src/server/billing',
    'src/server/plans',
  ],
  'tests/e2e/terminal.spec.ts': ['src/web/features/terminal', 'src/server/shells'],
  'tests/e2e/toasts.spec.ts': ['src/web/screens/Tests', 'src/web/kit'],
  'tests/e2e/workspace.spec.ts': ['tests/e2e/workspace', 'src/web/workspace', 'commands/actions/tiles.ts'],
  'tests/e2e/yaml.spec.ts': ['src/web/yaml', 'src/web/features/create', 'src/web/features/edit'],
};
