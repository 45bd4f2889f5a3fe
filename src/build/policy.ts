import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { kinds } from '../../commands/kinds/index.ts';
import { objectActions } from '../registry/kinds/object-actions.ts';
import { api } from '../contract/api.ts';
import { type Access, type CallPlace, type Endpoint, tokenUseOf } from '../contract/endpoint.ts';
import {
  clusterPermissions,
  type Need,
  permissions,
  rolePermissions,
  teamRoles,
} from '../contract/permissions.ts';
import { streams } from '../contract/streams.ts';
import { isGrave } from '../registry/kinds/confirmation.ts';
import type { KindAction } from '../registry/kinds/kind-action.ts';
import type { Kind } from '../registry/kinds/kind.ts';

const file = fileURLToPath(new URL('../../docs/policy.md', import.meta.url));

/** The people of each access that is a word, from those with least rights to those with most. */
const audiences: readonly (readonly [Extract<Access, string>, string])[] = [
  ['public', 'Anybody'],
  ['session', 'Anybody who is signed in'],
  ['account', 'Anybody who is signed in by a way of their own account'],
  ['member', 'Members of an organisation, in it'],
  ['cluster', 'Members whose teams reach the cluster, on it'],
  ['owner', 'Owners of an organisation, in it'],
];

const places: Readonly<Record<CallPlace, string>> = {
  cluster: 'on the cluster as a whole',
  namespace: 'in the namespace concerned',
  handler: 'in each namespace concerned',
  any: 'in any namespace',
};

/** The people who may make a call, as the heading of a table. */
function audienceOf(access: Access): string {
  if (typeof access === 'string') return new Map(audiences).get(access) ?? access;
  if ('team' in access)
    return access.team === 'view'
      ? 'Members of a team and Owners, for that team'
      : 'TeamAdmins of a team and Owners, for that team';
  if ('kind' in access)
    return access.kind === 'view'
      ? 'Whoever may view the kind of object'
      : 'Whoever may change the kind of object';
  return `Whoever holds \`${access.permission}\``;
}

const needText = (need: Need): string =>
  need === 'owner'
    ? 'Owner'
    : [need]
        .flat()
        .map((name) => `\`${name}\``)
        .join(' and ');

const proofs: Readonly<Record<NonNullable<Endpoint['proof']>, string>> = {
  recent: 'an identity confirmed recently',
  act: 'a passkey at that moment, where the cluster asks for it',
  handler: 'a passkey at that moment for dangerous actions, where the cluster asks for it',
};

function tokensOf(endpoint: Endpoint): string {
  const use = tokenUseOf(endpoint);
  if (use === 'never') return '';
  return use === 'scopes' ? 'yes' : `with \`${use}\``;
}

/** A table of Markdown without padding: a wider cell changes its own line alone. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function rolesTable(): string {
  const holders = Object.values(teamRoles).toSorted(
    (a, b) => rolePermissions[a].length - rolePermissions[b].length,
  );
  const nameOf = (role: number) => Object.entries(teamRoles).find(([, value]) => value === role)?.[0] ?? '';
  return table(
    ['Permission', ...holders.map(nameOf), 'Owner', 'In some namespaces only'],
    permissions.map((name) => [
      `\`${name}\``,
      ...holders.map((role) => (rolePermissions[role].includes(name) ? 'yes' : '')),
      'yes',
      clusterPermissions.has(name) ? 'no' : 'yes',
    ]),
  );
}

const kindsTable = (): string =>
  table(
    ['Kind', 'To view', 'To change'],
    kinds.map(({ title, permissions: { view, manage } }) => [title, needText(view), needText(manage)]),
  );

/** The row of an action that needs other rights than to change the kind, or a passkey; undefined for any other. */
const exceptionOf = (kind: Kind, action: KindAction): readonly string[] | undefined => {
  const isDangerousAct = isGrave(action, kind);
  const isOwn = !objectActions.includes(action);
  if (!isDangerousAct && !(isOwn && action.needs !== undefined)) return undefined;
  return [
    kind.title,
    action.title,
    needText(action.needs ?? kind.permissions.manage),
    isDangerousAct ? proofs.act : '',
  ];
};

const actionsTable = (): string =>
  table(
    ['Kind', 'Action', 'Needs', 'And'],
    kinds.flatMap((kind) =>
      kind.actions.map((action) => exceptionOf(kind, action)).filter((row) => row !== undefined),
    ),
  );

function callTables(): string {
  const groups = new Map<string, (readonly string[])[]>(audiences.map(([, audience]) => [audience, []]));
  for (const endpoint of [...Object.values<Endpoint>(api), ...Object.values<Endpoint>(streams)]) {
    const audience = audienceOf(endpoint.access);
    const where =
      typeof endpoint.access === 'object' && 'at' in endpoint.access ? places[endpoint.access.at] : '';
    const row = [
      endpoint.summary,
      where,
      endpoint.proof === undefined ? '' : proofs[endpoint.proof],
      tokensOf(endpoint),
    ];
    groups.set(audience, [...(groups.get(audience) ?? []), row]);
  }
  return [...groups]
    .map(
      ([audience, rows]) => `### ${audience}\n\n${table(['May call', 'Where', 'With', 'API tokens'], rows)}`,
    )
    .join('\n\n');
}

/** `docs/policy.md`: who may do what, from the contract and the kinds. */
export function policyPage(): string {
  return `# Policy: who may do what

Written by \`npm run first\` from the calls of the contract (\`src/contract\`) and the kinds (\`commands/kinds\`); a test holds it against them. The server decides by the same declarations, on every call, from the grants of that moment. Everything that is not allowed here is refused. The reasons are in [0012](decisions/0012-permissions.md).

A person is a Member or an Owner of an organisation. Owners may do everything in it. Members hold what the roles of their teams give them on the clusters that each team reaches, or in the namespaces of the team's grant; several roles add up. Nobody sees or does anything in another organisation. For somebody who does not reach a cluster or a team there is none.

## Roles

As an organisation begins; its Owners may change what a role holds. A grant to some namespaces gives no permission about the cluster itself.

${rolesTable()}

## Objects

A custom resource without a line of its own: \`namespaces.view\` to view, \`resources.manage\` to change. A built-in resource without one: Owners alone. Pasted YAML, creation, edits and Helm need what the kind of each object needs, and \`resources.manage\` to create.

${kindsTable()}

### Actions that need something else

Every other action on an object needs what changing its kind needs.

${actionsTable()}

## Calls

API tokens act for the person who made them, within their scopes and clusters; without an entry a call takes none. An identity confirmed recently, or a passkey at that moment, never comes from a token. A call that names an object, a webhook, a request or a token of somebody also needs the right to that one, which its handler looks up.

${callTables()}
`;
}

/** Whether the page says what is declared. */
export const isPolicyCurrent = async (): Promise<boolean> => (await readFile(file, 'utf8')) === policyPage();

/** Writes the page. */
export async function writePolicy(): Promise<void> {
  await writeFile(file, policyPage());
}
