import { Problem, problemTitle } from '../../contract/problem.ts';
import { type Command, hrefOf } from './command.ts';
import type { Invocation, Subject } from './invocation.ts';
import { Refusal } from './refusal.ts';
import { questionAbout, type RefusalQuestion } from './refusal-question.ts';
import type { Services, ToastAction } from './services.ts';

/** The sentence that a person reads about a failure. */
export function sentenceOf(error: unknown): string {
  if (typeof error === 'object' && error !== null) return problemTitle(error);
  return problemTitle(String(error));
}

/** Like `sentenceOf`, with further details of the failure on lines of their own. */
export function sentencesOf(error: unknown): string {
  const detail = error instanceof Problem ? error.detail : undefined;
  return detail === undefined ? sentenceOf(error) : `${sentenceOf(error)}\n${detail}`;
}

/** Path parameters for the cluster of a subject. */
function clusterOf(subject: Subject): Readonly<Record<string, string>> {
  if (subject.type === 'cluster') return { clusterId: subject.cluster };
  return subject.type === 'objects' ? { clusterId: subject.refs[0].cluster } : {};
}

/** The question of who can grant what a failure says is missing; undefined for a failure for another reason. */
export const questionOf = (error: unknown): RefusalQuestion | undefined =>
  error instanceof Problem && error.lacking !== undefined ? questionAbout(error.lacking) : undefined;

/** Whether something failed at a limit of the plan: with another plan or more seats it would not have. */
export const isAtLimit = (error: unknown): boolean => error instanceof Problem && error.limit !== undefined;

/** What telling of a failure takes of the page; with all of it, who can grant a missing right is offered as well, or the plans. */
type Telling = Pick<Services, 'toast' | 'log'> &
  Partial<Pick<Services, 'api' | 'workspace' | 'subscription'>>;

/** Shows why something was not done: a refusal in a passing toast, a failure in a toast that stays and in the log. */
export function tellFailure(
  error: unknown,
  what: string,
  { toast, log, api, workspace, subscription }: Telling,
): void {
  if (error instanceof Refusal) {
    toast.warning(error.message);
    return;
  }
  log(what, error);
  const question = questionOf(error);
  const asking = api === undefined || workspace === undefined ? undefined : { toast, log, api, workspace };
  const offer: ToastAction[] =
    question === undefined || asking === undefined
      ? []
      : [{ label: 'Who can grant it?', run: () => void tellWhoGrants(question, asking) }];
  if (subscription !== undefined && isAtLimit(error))
    offer.push({ label: 'See the plans', run: () => subscription.showPlans() });
  const duration = Number.POSITIVE_INFINITY;
  toast.error(sentenceOf(error), offer.length === 0 ? { duration } : { duration, actions: offer });
}

/** Tells who can grant what is missing, or why that cannot be told. */
async function tellWhoGrants(
  question: RefusalQuestion,
  { toast, log, api, workspace }: Required<Omit<Telling, 'subscription'>>,
): Promise<void> {
  try {
    const { explainRefusal } = await import('./explain-refusal.ts');
    await explainRefusal(question, { api, toast, workspace });
  } catch (error) {
    tellFailure(error, 'Could not find out who can grant it.', { toast, log });
  }
}

/**
 * Runs a command for any caller. The only place that catches a failing command: it logs the failure with the command's
 * id and shows it in a toast that stays. Resolves to whether the command succeeded.
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
      const { workspace } = services;
      workspace.open(workspace.inChosenNamespace(hrefOf(command, params)), invocation.target);
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
    tellFailure(error, `The command ${command.id} failed.`, services);
    return false;
  }
}
