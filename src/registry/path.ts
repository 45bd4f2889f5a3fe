/** The parameters of a path pattern: `'/clusters/:clusterId/pods'` gives `{ clusterId: string }`. */
export type PathParams<P extends string> = string extends P
  ? Readonly<Record<string, string>>
  : { readonly [K in ParamNames<P>]: string };

type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

const segments = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Fills in a pattern's parameters, URL-encoded. Throws if one is missing. */
export function fillPath(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new Error(`The path ${pattern} needs ${name}.`);
    return encodeURIComponent(value);
  });
}

/** Names of a pattern's parameters, in order. */
export function paramNames(pattern: string): string[] {
  return segments(pattern)
    .filter((part) => part.startsWith(':'))
    .map((part) => part.slice(1));
}

/** A segment that browsers resolve as the folder itself or its parent; they read `%2e` as a dot. */
const dotSegment = /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i;

/**
 * A path of this console with search and hash; undefined for anything that a browser could resolve elsewhere: schemes,
 * other origins, `//host`, backslashes, control characters (browsers drop some), lone surrogates, and `.` and `..`
 * (`/..//host` becomes `//host`).
 */
export function ownPath(href: string | null | undefined): string | undefined {
  if (typeof href !== 'string' || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(href) || !href.isWellFormed())
    return undefined;
  return dotSegment.test(splitHref(href).pathname) ? undefined : href;
}

/** Splits a path into pathname, search and hash; search and hash keep their `?` and `#`. */
export function splitHref(href: string): {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
} {
  const hashAt = href.indexOf('#');
  const withoutHash = hashAt < 0 ? href : href.slice(0, hashAt);
  const searchAt = withoutHash.indexOf('?');
  return {
    pathname: searchAt < 0 ? withoutHash : withoutHash.slice(0, searchAt),
    search: searchAt < 0 ? '' : withoutHash.slice(searchAt),
    hash: hashAt < 0 ? '' : href.slice(hashAt),
  };
}
