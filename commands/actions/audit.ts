import { action } from '../../src/registry/commands/command.ts';
import type { ToolTurn } from '../../src/registry/commands/services.ts';

const save = (id: string, turn: ToolTurn, format: string, keywords: readonly string[]) =>
  action({
    id: `audit.${id}`,
    title: `Save these entries of the audit as ${format}`,
    group: 'Account',
    icon: 'logs',
    keywords: ['export', 'download', 'audit log', ...keywords],
    when: { shell: 'app', focus: 'page', kind: 'none', route: ['settings'], role: 'admin' },
    run: (_, { view, toast }) => {
      if (view.tool()?.turn(turn) !== true) toast.info('Open the audit of the settings first.');
    },
  });

/** What is done on the page of the audit. */
export const auditActions = [
  save('saveCsv', 'saveCsv', 'CSV', ['spreadsheet', 'table']),
  save('saveJsonLines', 'saveJsonLines', 'JSON lines', ['jsonl', 'ndjson']),
];
