import type { Lack } from '../../contract/problem-schema.ts';

/** A question of somebody who lacks a right. */
export interface RefusalQuestion {
  /** The act that cannot be done, in words: `Scale`. */
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
