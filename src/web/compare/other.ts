import type { ObjectRef } from '../../registry/command.ts';

/** How the other side of a comparison is named in an address: `3/shop/web`, or this for what was last applied. */
export const lastAppliedName = 'last-applied';

/** Writes the other side for the address. */
export function formatOther({ cluster, namespace, name }: ObjectRef): string {
  return [cluster, namespace ?? '', name].map(encodeURIComponent).join('/');
}

/** Reads it: an object of the same kind; undefined for anything else. */
export function parseOther(text: string | undefined, self: ObjectRef): ObjectRef | undefined {
  const [cluster = '', namespace = '', name = '', ...rest] = (text ?? '').split('/').map(decode);
  if (!/^\d{1,10}$/.test(cluster) || name === '' || rest.length > 0) return undefined;
  if ((namespace === '') !== (self.namespace === undefined)) return undefined;
  return { cluster, kind: self.kind, ...(namespace === '' ? {} : { namespace }), name };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
