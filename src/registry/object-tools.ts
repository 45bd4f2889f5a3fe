import type { Permission } from '../contract/permissions.ts';

/** The ways to look at one object besides its overview, in the order in which its page offers them. */
export const objectTools = [
  'values',
  'manifest',
  'logs',
  'shell',
  'attach',
  'yaml',
  'edit',
  'compare',
  'graph',
] as const;
export type ObjectTool = (typeof objectTools)[number];

/** Tools that a kind declares by name; it has logs and a graph by what it says of `logs` and `graph`. */
export type OwnTool = Exclude<ObjectTool, 'logs' | 'graph'>;

/** What every object of the API can be looked at with. */
const plainTools: readonly OwnTool[] = ['yaml', 'edit', 'compare'];

/** The tools of a kind, in order. @param own those that it declares; without them what every object of the API has */
export function toolsOf(
  { hasLogs, hasGraph }: { readonly hasLogs: boolean; readonly hasGraph: boolean },
  own: readonly OwnTool[] = plainTools,
): readonly ObjectTool[] {
  return objectTools.filter((tool) =>
    tool === 'logs' ? hasLogs : tool === 'graph' ? hasGraph : own.includes(tool),
  );
}

/** Permissions that tools need beside that to view the object. Whether somebody may edit it, its kind says. */
export const toolNeeds: Readonly<Partial<Record<ObjectTool, Permission>>> = {
  values: 'secrets.view',
  manifest: 'secrets.view',
  logs: 'pods.view',
  shell: 'pods.manage',
  attach: 'pods.manage',
};
