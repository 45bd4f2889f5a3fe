import type { Outcome, Ref } from '../../../contract/objects.ts';
import type { KindAction } from '../../../registry/kinds/kind-action.ts';
import type { ActionFacts, KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { qualifiedName } from './acting.ts';

/** The message about a completed action: one toast, whatever the number of objects. */
export interface OutcomeText {
  readonly type: 'success' | 'warning' | 'error';
  readonly title: string;
  /** One line for each failure, then where it was. */
  readonly detail: string;
  /** The object that the action created, if it is one: the toast opens it. */
  readonly created?: Ref;
}

/** Maximum number of failures listed one by one. */
const maxListed = 6;

/** The title of an action without the dots that say "asks first". */
export const plainAction = ({ title }: Pick<ActionFacts, 'title'>): string => title.replace(/…$/, '');

/** Names an action on its objects: `Restart Deployment api`. @param subject as `countOf` names them */
export const headingOf = (action: Pick<KindAction, 'title' | 'heading'>, subject: string): string =>
  action.heading?.(subject) ?? `${plainAction(action)} ${subject}`;

/** `deployment api`, or `3 deployments`. */
export function countOf(kind: Pick<KindFacts, 'kind' | 'title'>, names: readonly string[]): string {
  const [first = ''] = names;
  return names.length === 1 ? `${kind.kind} ${first}` : `${names.length} ${lowerFirst(kind.title)}`;
}

/**
 * Whether the outcome of an action is unknown: the cluster was asked to do it, and its answer did not arrive or reports
 * a failure of its own. The change may have been made all the same.
 */
export const isUnsure = ({ ok, status, requests }: Outcome): boolean =>
  !ok && status >= 500 && requests.length > 0;

/** The title above the reasons when an action failed on all its objects. */
export function failedTitle(outcomes: readonly Outcome[]): string {
  return outcomes.some(isUnsure)
    ? 'It is unknown whether anything was changed. Check before you try again.'
    : 'Nothing was changed.';
}

/** The effect of an action, old and new value or the created object: `3 → 5`, `Job nightly-manual-1`. */
function effectOf({ change, created }: Outcome): string | undefined {
  if (created === undefined) return change;
  return `${kindById(created.kind)?.kind ?? created.kind} ${created.name}`;
}

/** Composes the toast for the outcomes of an action on a cluster. */
export function outcomeText(
  action: Pick<KindAction, 'title' | 'done'>,
  kind: Pick<KindFacts, 'kind' | 'title'>,
  outcomes: readonly Outcome[],
  cluster: string,
): OutcomeText {
  const failed = outcomes.filter(({ ok }) => !ok);
  const done = outcomes.length - failed.length;
  const isPending = outcomes.some((outcome) => outcome.isPending === true);
  const verb = isPending ? `${done === 1 ? 'is' : 'are'} being ${action.done}` : action.done;
  const names = outcomes.map(({ ref }) => ref.name);
  const [only] = outcomes;
  if (outcomes.length === 1 && only !== undefined) {
    const where = only.ref.namespace === undefined ? cluster : `${only.ref.namespace} · ${cluster}`;
    if (only.job !== undefined || only.isPending === true)
      return { type: 'success', title: only.message.replace(/\.$/, ''), detail: where };
    const effect = effectOf(only);
    return only.ok
      ? {
          type: 'success',
          title: `${countOf(kind, names)} ${action.done}${effect === undefined ? '' : `: ${effect}`}`,
          detail: where,
          ...(only.created === undefined ? {} : { created: only.created }),
        }
      : {
          type: 'error',
          title: isUnsure(only)
            ? `It is unknown whether ${countOf(kind, names)} was ${action.done}`
            : `${countOf(kind, names)} was not ${action.done}`,
          detail: `${only.message}\n${where}`,
        };
  }
  const changed = outcomes.slice(0, maxListed).flatMap((outcome) => {
    const effect = outcome.ok ? effectOf(outcome) : undefined;
    return effect === undefined ? [] : [`${qualifiedName(outcome.ref)}: ${effect}`];
  });
  if (failed.length === 0)
    return {
      type: 'success',
      title: `${countOf(kind, names)} ${verb}`,
      detail: [
        ...changed,
        ...(changed.length === maxListed && outcomes.length > maxListed ? ['…'] : []),
        cluster,
      ].join('\n'),
    };
  const listed = failed.slice(0, maxListed).map(({ ref, message }) => `${qualifiedName(ref)}: ${message}`);
  const rest = failed.length - listed.length;
  const detail = [...listed, ...(rest > 0 ? [`and ${rest} more`] : []), cluster].join('\n');
  const unsure = failed.filter(isUnsure).length;
  if (unsure > 0) {
    const title = `${done} of ${countOf(kind, names)} ${verb}, unknown for ${unsure}`;
    return { type: 'warning', title, detail };
  }
  return done === 0
    ? { type: 'error', title: `None of ${countOf(kind, names)} ${action.done}`, detail }
    : { type: 'warning', title: `${done} of ${countOf(kind, names)} ${verb}`, detail };
}
