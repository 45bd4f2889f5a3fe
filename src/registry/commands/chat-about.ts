import type { Ref } from '../../contract/objects.ts';

/** An object as the address of the chat names it: kind, namespace and name, none of which has a slash. */
export const aboutText = ({ kind, namespace = '', name }: Ref): string => `${kind}/${namespace}/${name}`;

/** The object that an address of the chat names; undefined for anything else. */
export function aboutIn(text: string | undefined): Ref | undefined {
  const [kind = '', namespace = '', name = '', ...more] = (text ?? '').split('/');
  if (kind === '' || name === '' || more.length > 0) return undefined;
  return { kind, name, ...(namespace === '' ? {} : { namespace }) };
}
