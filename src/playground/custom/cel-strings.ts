import { attempt, type CelExtension, LibraryError } from './cel-extension.ts';

/** The type of the constant `strings`. */
class Strings {
  readonly name = 'strings';
}

/** Compiles a regular expression. Throws LibraryError. */
const regExp = (text: string, flags: string) => attempt(() => new RegExp(text, flags));

/** Kubernetes' functions of strings. */
export const strings: CelExtension = {
  types: { 'kubernetes.Strings': Strings },
  constants: [['strings', 'kubernetes.Strings', new Strings()]],
  functions: {
    'string.find(string): string': (text: string, wanted: string) =>
      regExp(wanted, 'u').exec(text)?.[0] ?? '',
    'string.findAll(string): list<string>': (text: string, wanted: string) =>
      Array.from(text.matchAll(regExp(wanted, 'gu')), ([found]) => found),
    'string.findAll(string, int): list<string>': (text: string, wanted: string, limit: bigint) => {
      const all = Array.from(text.matchAll(regExp(wanted, 'gu')), ([found]) => found);
      return limit < 0n ? all : all.slice(0, Number(limit));
    },
    'string.replace(string, string): string': (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    'string.replace(string, string, int): string': (
      text: string,
      from: string,
      to: string,
      limit: bigint,
    ) => {
      const parts = text.split(from);
      const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
      return [parts.slice(0, count + 1).join(to), ...parts.slice(count + 1)].join(from);
    },
    'string.charAt(int): string': (text: string, index: bigint) => {
      const characters = Array.from(text);
      if (index < 0n || index > BigInt(characters.length)) {
        throw new LibraryError(`index out of range: ${index}`);
      }
      return characters[Number(index)] ?? '';
    },
    'kubernetes.Strings.quote(string): string': (_of: Strings, text: string) => JSON.stringify(text),
  },
};
