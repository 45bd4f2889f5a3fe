import type { RefusalQuestion } from './refusal-question.ts';
import type { Services } from './services.ts';
import { whyNotText } from './why-not-text.ts';

/** The address of the form that asks for permissions; in a namespace, or on a cluster as a whole. */
export function askPath(needs: string, cluster: string | undefined, namespace: string | undefined): string {
  const values = { section: 'access-requests', ask: needs, cluster, namespace };
  const search = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `/settings?${search.join('&')}`;
}

/**
 * Says in a toast what somebody lacks for something, where, and who can grant it, and offers to ask for it. Rejects with the
 * Problem of the call.
 */
export async function explainRefusal(
  { what, needs, cluster, namespace, team }: RefusalQuestion,
  { api, toast, workspace }: Pick<Services, 'api' | 'toast' | 'workspace'>,
): Promise<void> {
  const answer = await api.whyNot({
    query: {
      needs,
      ...(cluster === undefined ? {} : { clusterId: Number(cluster) }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(team === undefined ? {} : { teamId: Number(team) }),
    },
  });
  const { title, detail } = whyNotText(what, answer);
  const asked = answer.missing.filter((one) => one !== 'owner' && one !== 'team');
  const ask = {
    label: 'Ask for it…',
    run: () => workspace.open(askPath(asked.join(','), cluster, namespace)),
  };
  toast.info(title, {
    detail,
    // It names people, which takes a while to read and to write down.
    duration: Number.POSITIVE_INFINITY,
    actions: [
      ...(asked.length === 0 ? [] : [ask]),
      { label: 'My permissions', run: () => workspace.open('/settings/my-permissions') },
    ],
  });
}
