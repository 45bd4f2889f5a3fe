/** A question of a page of teams: for a new team, a member of the team, or a cluster that it shall reach. */
export type TeamQuestion = 'team' | 'member' | 'cluster';
