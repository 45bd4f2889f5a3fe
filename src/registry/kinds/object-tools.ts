import type { Permission } from '../../contract/permissions.ts';

/** The views of one object besides its overview, in the order in which its page lists them. */
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
  'why',
] as const;
export type ObjectTool = (typeof objectTools)[number];

/** Tools that a kind declares by name; logs, graph and why follow from what else it declares. */
export type OwnTool = Exclude<ObjectTool, 'logs' | 'graph' | 'why'>;

/** The tools of every API object. */
const plainTools: readonly OwnTool[] = ['yaml', 'edit', 'compare'];

/** The tools of a kind, in order. @param own the declared ones; defaults to those of every API object */
export function toolsOf(
  derived: { readonly hasLogs: boolean; readonly hasGraph: boolean; readonly isInApi: boolean },
  own: readonly OwnTool[] = plainTools,
): readonly ObjectTool[] {
  const { hasLogs, hasGraph, isInApi } = derived;
  const has = { logs: hasLogs, graph: hasGraph, why: isInApi };
  return objectTools.filter((tool) =>
    tool === 'logs' || tool === 'graph' || tool === 'why' ? has[tool] : own.includes(tool),
  );
}

/** Permissions that tools need in addition to viewing the object. The kind says who may edit it. */
export const toolNeeds: Readonly<Partial<Record<ObjectTool, Permission>>> = {
  values: 'secrets.view',
  manifest: 'secrets.view',
  logs: 'pods.view',
  shell: 'pods.manage',
  attach: 'pods.manage',
};
