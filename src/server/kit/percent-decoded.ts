/** A part of an address as it was meant: one with a bare % is taken as it is, as people paste passwords. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
