/** Search values are plain strings: a namespace may be called `true`. */
export type Search = Readonly<Record<string, string>>;

/** Reads `?a=b&c=d`; of several values of one name the last counts. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes a search string with its question mark; empty and missing values are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
