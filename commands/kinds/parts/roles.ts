import { formatSelector } from '../../../src/kube/format-selector.ts';
import { type RoleObject, roleReach, ruleObjects, ruleText } from '../../../src/kube/rbac.ts';
import type { Column, Section, TableSection } from '../../../src/registry/kinds/kind.ts';

/** Rules in a cell of a list: the roles of the system have hundreds. */
const maxListed = 5;

const rulesOf = ({ rules }: RoleObject) => rules ?? [];

function listedRules(object: RoleObject): string[] {
  const rules = rulesOf(object);
  const rest = rules.length - maxListed;
  return [...rules.slice(0, maxListed).map(ruleText), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

/** Columns of a Role and a ClusterRole. */
export const roleColumns: readonly Column<RoleObject>[] = [
  {
    id: 'reach',
    label: 'Reach',
    format: 'text',
    dropAt: 2,
    value: (object) => roleReach(rulesOf(object)),
  },
  {
    id: 'rules',
    label: 'Rules',
    format: 'number',
    dropAt: 3,
    value: (object) => rulesOf(object).length,
  },
  { id: 'allows', label: 'Allows', format: 'list', dropAt: 4, value: listedRules },
];

/** The rules of a role, one below the other. */
export const rulesTable: TableSection<RoleObject> = {
  title: 'Rules',
  columns: [
    { label: 'May', format: 'list' },
    { label: 'What', format: 'mono' },
  ],
  rows: (object) =>
    rulesOf(object).map((rule) => {
      const { verbs = [] } = rule;
      return [verbs.includes('*') ? 'everything' : verbs.join(', '), ruleObjects(rule)];
    }),
  empty: () => 'It has no rules, so it allows nothing.',
};

/** The sections of a Role and a ClusterRole between its rules and its YAML. */
export const roleSections: readonly Section<RoleObject>[] = [
  {
    title: 'Spec',
    fields: [
      { label: 'Reach', format: 'text', value: (object) => roleReach(rulesOf(object)) },
      {
        label: 'Collects',
        format: 'mono',
        value: ({ aggregationRule }) =>
          aggregationRule === undefined
            ? null
            : (aggregationRule.clusterRoleSelectors ?? []).map((selector) => formatSelector(selector)),
      },
    ],
  },
  rulesTable,
  'used-by',
  'metadata',
  'events',
  'yaml',
];
