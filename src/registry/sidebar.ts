/** The groups of the sidebar in display order (specification section 2). */
export const sidebarSections = [
  'Cluster',
  'Resources',
  'Persistent Volumes',
  'Network',
  'Scalers',
  'Helm',
  'CRDs',
] as const;
export type SidebarSection = (typeof sidebarSections)[number];
