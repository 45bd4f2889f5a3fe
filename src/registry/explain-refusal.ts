import type { Lack } from '../contract/problem-schema.ts';
import type { Services } from './services.ts';
import { whyNotText } from './why-not-text.ts';

/** A question of somebody who lacks a right. */
export interface RefusalQuestion {
  /** What cannot be done, in words: `Scale`. */
  readonly what?: string | undefined;
  /** Permissions, `owner` or `team`, separated by commas. */
  readonly needs: string;
  /** Ids; without a cluster it is about the organisation, or the team. */
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  readonly team?: string | undefined;
}

/**
 * The question of who can grant what an answer of the API says is missing.
 * @param what the title of what cannot be done, where it has one
 */
export function questionAbout({ needs, clusterId, namespace, teamId }: Lack, what?: string): RefusalQuestion {
  const textOf = (id: number | undefined) => (id === undefined ? undefined : String(id));
  return { what, needs: needs.join(','), cluster: textOf(clusterId), namespace, team: textOf(teamId) };
}

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
