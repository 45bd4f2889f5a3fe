/** Names of sections in addresses from before the settings had sections. */
const formerNames: Readonly<Record<string, string>> = { theme: 'appearance', changes: 'appearance' };

/** A section has no parameters; one object, so that nothing begins anew. */
export const noParams: Readonly<Record<string, string>> = {};

/**
 * The section of the settings that an address names: by `section`, or by `at` as older links do. The profile without
 * either.
 */
export function sectionNamed({ section, at }: { readonly section?: string; readonly at?: string }): string {
  if (section !== undefined) return section;
  return at === undefined ? 'profile' : (formerNames[at] ?? at);
}
