import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem } from '../../contract/problem.ts';
import { StartError } from '../kit/start-error.ts';
import { type ParsedContext, parseKubeconfig } from './kubeconfig.ts';

/** The kubeconfig that the operator named at start. It is read again when it changes. */
export interface OperatorFile {
  /** Its contexts by name. */
  contexts(): Promise<ReadonlyMap<string, ParsedContext>>;
}

/**
 * @param path absolute; null: none was named, and there are no contexts
 * @param onProblem told in a sentence when a changed file cannot be used; the former contexts stay
 * @throws StartError when the file cannot be used at start
 */
export async function openOperatorFile(
  path: string | null,
  onProblem: (sentence: string) => void,
): Promise<OperatorFile> {
  if (path === null) return { contexts: () => Promise.resolve(new Map()) };
  const folder = dirname(path);
  const load = async () => {
    const contexts = parseKubeconfig(await readFile(path, 'utf8'), { kind: 'operator', directory: folder });
    return new Map(contexts.map((context) => [context.name, context]));
  };
  const sentenceOf = (error: unknown) => {
    if (error instanceof Problem) return `${path}: ${error.title}`;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return `The kubeconfig ${path} cannot be read (${code}). Check --kubeconfig or WHEELHOUSE_KUBECONFIG.`;
  };
  const stamp = async () => {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs}/${size}/${ino}`;
  };

  let seen = '';
  let held: ReadonlyMap<string, ParsedContext>;
  try {
    seen = await stamp();
    held = await load();
  } catch (error) {
    throw new StartError(sentenceOf(error), { cause: error });
  }
  return {
    async contexts() {
      let found = '';
      try {
        found = await stamp();
        if (found !== seen) held = await load();
      } catch (error) {
        if (found !== seen) onProblem(sentenceOf(error));
      }
      seen = found;
      return held;
    },
  };
}
