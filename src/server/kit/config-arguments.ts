import { parseArgs } from 'node:util';

/** The arguments of `npm start -- …`. */
export interface Arguments {
  /** The operator's kubeconfig file as it was written. */
  readonly kubeconfig: string | null;
}

/** Reads the arguments of a start; an unknown one is a problem, never ignored. */
export function parseArguments(argv: readonly string[]): { value: Arguments } | { problem: string } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { kubeconfig: { type: 'string' } },
      strict: true,
    });
    if (values.kubeconfig === '') return { problem: '--kubeconfig needs the path of a kubeconfig file.' };
    return { value: { kubeconfig: values.kubeconfig ?? null } };
  } catch {
    return {
      problem: `The arguments "${argv.join(' ')}" are not understood. The one argument is --kubeconfig FILE.`,
    };
  }
}
