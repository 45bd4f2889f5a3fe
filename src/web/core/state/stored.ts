/** Parses a stored JSON text; undefined for a missing or invalid one. */
export function parseStored(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of a stored object of this version; none of anything else. */
export function membersOf(stored: unknown, version: number): Readonly<Record<string, unknown>> {
  if (typeof stored !== 'object' || stored === null) return {};
  const members = stored as Readonly<Record<string, unknown>>;
  return members.version === version ? members : {};
}
