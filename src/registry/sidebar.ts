/**
 * The groups of the sidebar in display order (specification section 2), and last what the specification's sidebar lacks:
 * a group that is closed until the person opens it.
 */
export const sidebarSections = [
  'Cluster',
  'Resources',
  'Persistent Volumes',
  'Network',
  'Scalers',
  'Helm',
  'CRDs',
  'More',
] as const;
export type SidebarSection = (typeof sidebarSections)[number];

/** Whether the sidebar counts the objects of a kind. Kinds of the closed group would cost watches that nobody looks at. */
export const hasSidebarCount = ({
  sidebar,
}: {
  readonly sidebar?: { readonly section: SidebarSection };
}): boolean => sidebar !== undefined && sidebar.section !== 'More';
