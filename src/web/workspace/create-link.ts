import type { CreateRequest } from '../../registry/commands/services.ts';

/** The search parameter of a link that opens the dialog: `create=Deployment/basic`, or empty for a blank text. */
export const createParam = 'create';

/** The create request of a link; undefined if it has none. Its cluster is that of its path. */
export function createRequestOf({
  pathname,
  search,
}: {
  readonly pathname: string;
  readonly search: string;
}): CreateRequest | undefined {
  const value = new URLSearchParams(search).get(createParam);
  if (value === null) return undefined;
  const [resource = '', variant = ''] = value.slice(0, 200).split('/');
  const clusterId = /^\/clusters\/(\d+)(?:\/|$)/.exec(pathname)?.[1];
  return {
    ...(clusterId === undefined ? {} : { clusterId }),
    ...(resource === '' ? {} : { resource, variant }),
  };
}

/** The link that opens the dialog with a template on a cluster. */
export function createLink(origin: string, clusterId: string, resource: string, variant: string): string {
  const place = clusterId === '' ? '/' : `/clusters/${clusterId}`;
  return `${origin}${place}?${createParam}=${encodeURIComponent(resource)}/${encodeURIComponent(variant)}`;
}
