/** What a tab tells of itself besides its title. */
export interface TabMarks {
  /** Name of its cluster, where the tabs are of several. */
  readonly cluster?: string | undefined;
  readonly isUnsaved: boolean;
  /** The reason in a word why its view has nothing left to show: `deleted`. */
  readonly ended?: string | undefined;
}

/** The name of a tab for those who do not see its marks. */
export function tabName(title: string, { cluster, isUnsaved, ended }: TabMarks): string {
  const place = cluster === undefined ? title : `${title} in ${cluster}`;
  return [place, ...(isUnsaved ? ['not saved'] : []), ...(ended === undefined ? [] : [ended])].join(', ');
}

/** Whether tabs must say of which cluster they are; pages without one need not. */
export function areOfSeveral(clusters: readonly (number | undefined)[]): boolean {
  return new Set(clusters.filter((one) => one !== undefined)).size > 1;
}
