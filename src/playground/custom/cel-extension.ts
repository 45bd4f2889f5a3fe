/** An error of a CEL library function. The message is the server's and is reported unchanged. */
export class LibraryError extends Error {}

/** Turns any error into a LibraryError with the same message. */
export const attempt = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new LibraryError(error instanceof Error ? error.message : String(error));
  }
};

/** Whether a function returns without an error. */
export const succeeds = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

/** Functions by their CEL signature, as "list.first(): optional". */
export type CelFunctions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A group of Kubernetes' CEL functions with the types that they work on. */
export interface CelExtension {
  /** Classes by the name of their CEL type; registered before the functions of all extensions. */
  readonly types?: Readonly<Record<string, new (...args: never[]) => object>>;
  /** Constants, as `sets` of `sets.contains`: the name, its type and its value. */
  readonly constants?: readonly (readonly [name: string, type: string, value: object])[];
  /** Types that `==` compares by value. */
  readonly comparable?: readonly string[];
  readonly functions: CelFunctions;
}
