import type { NumberedPart } from '../../../contract/chat.ts';

/** Addresses of people by their stand-ins, `person 482913`. */
export type People = ReadonlyMap<string, string>;

/** Who the stand-ins of an answer mean. */
export const peopleIn = (parts: readonly NumberedPart[]): People =>
  new Map(parts.flatMap(({ part }) => (part.type === 'person' ? [[part.id, part.address] as const] : [])));

/** A text with the addresses of people in place of their stand-ins, as far as they are known. */
export const withPeople = (text: string, people: People): string =>
  people.size === 0
    ? text
    : text.replaceAll(
        /\bperson (\d{1,6})\b/gi,
        (standIn, number) => people.get(`person ${number}`) ?? standIn,
      );

/** A node of what Markdown came to, of the part that is used here. */
interface TextTree {
  value?: unknown;
  readonly type: string;
  readonly tagName?: string;
  readonly children?: readonly TextTree[];
}

/** Names people in a tree of Markdown: behind its marks, so that no address becomes any. Code stays as it is. */
export const namePeople =
  (people: People) =>
  () =>
  (tree: TextTree): void => {
    const name = (node: TextTree): void => {
      if (node.type === 'text' && typeof node.value === 'string') node.value = withPeople(node.value, people);
      if (node.tagName !== 'code') node.children?.forEach(name);
    };
    name(tree);
  };
