import { problemTitle } from '../contract/problem.ts';
import type { Command, Invocation, Subject } from './command.ts';
import { fillPath } from './path.ts';
import type { Services } from './services.ts';

/** The sentence a person reads about a failure. */
export function sentenceOf(error: unknown): string {
  if (typeof error === 'object' && error !== null) return problemTitle(error);
  return problemTitle(String(error));
}

/** The cluster that a subject lies in, as the parameter of paths. */
function clusterOf(subject: Subject): Readonly<Record<string, string>> {
  if (subject.type === 'cluster') return { clusterId: subject.cluster };
  return subject.type === 'objects' ? { clusterId: subject.refs[0].cluster } : {};
}

/**
 * Runs a command, whoever asked. The one place where a failing command is caught: it is logged with its id and
 * said in a toast that stays. Resolves to whether it succeeded.
 */
export async function execute(
  command: Command,
  invocation: Invocation<Readonly<Record<string, unknown>>>,
  services: Services,
): Promise<boolean> {
  try {
    if (command.type === 'route') {
      const params = {
        ...clusterOf(invocation.subject),
        ...(invocation.args as Readonly<Record<string, string>>),
      };
      services.workspace.open(fillPath(command.path, params), invocation.target);
      return true;
    }
    if (command.type === 'template') {
      const { resource, variant } = command;
      services.create.open({ ...clusterOf(invocation.subject), resource, variant });
      return true;
    }
    const enabled = command.enabled?.(invocation) ?? true;
    if (enabled !== true) {
      services.toast.info(enabled);
      return false;
    }
    await command.run(invocation, services);
    return true;
  } catch (error) {
    services.log(`The command ${command.id} failed.`, error);
    services.toast.error(sentenceOf(error), { duration: Number.POSITIVE_INFINITY });
    return false;
  }
}
