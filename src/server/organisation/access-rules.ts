import type { RequestState } from '../../contract/access-requests.ts';
import { clusterPermissions, type Permission } from '../../contract/permissions.ts';
import { includes, type HeldPermissions } from '../access/held.ts';

/** What a request is about. */
export interface AskedAccess {
  readonly permissions: readonly Permission[];
  /** Null for the whole cluster. */
  readonly namespaces: readonly string[] | null;
}

/** How a request is stored. Times are in ms. */
export interface StoredState {
  readonly state: 'pending' | 'approved' | 'refused' | 'withdrawn' | 'revoked' | 'lapsed';
  readonly decideBy: number;
  /** Null before the approval. */
  readonly endsAt: number | null;
  /** Whether its grant is still there: it goes with the membership and with the place in the team. */
  readonly hasGrant: boolean;
}

/** How a request stands at a moment. @param now ms */
export function stateAt({ state, decideBy, endsAt, hasGrant }: StoredState, now: number): RequestState {
  if (state === 'pending') return decideBy <= now ? 'lapsed' : 'pending';
  if (state !== 'approved') return state;
  if (endsAt === null || endsAt <= now) return 'expired';
  return hasGrant ? 'active' : 'ended';
}

/** A team in which somebody is TeamAdmin, whoever asks is a member, and which reaches the cluster. */
export interface SharedTeam {
  readonly teamId: number;
  /** The namespaces that it reaches; null for the whole cluster. */
  readonly namespaces: readonly string[] | null;
}

/** Somebody who would decide on a request of another person. */
export interface Decider {
  readonly isOwner: boolean;
  /** What they hold on the cluster by lasting grants alone: what is held for a while approves nothing. */
  readonly lasting: HeldPermissions;
  readonly sharedTeams: readonly SharedTeam[];
}

/** The right of somebody to decide: as an Owner (null), or for each of some teams. */
export type Authority = { readonly teamIds: readonly number[] | null };

/**
 * By what somebody may decide on what another person asks for; undefined where they may not. A TeamAdmin decides for a
 * team of both that reaches all of it, if they hold all of it themself.
 */
export function authorityOver(asked: AskedAccess, decider: Decider): Authority | undefined {
  if (decider.isOwner) return { teamIds: null };
  if (!isHeldIn(asked, decider.lasting)) return undefined;
  const teamIds = decider.sharedTeams
    .filter(({ namespaces }) => includes(placesOf(namespaces), placesOf(asked.namespaces)))
    .map(({ teamId }) => teamId);
  return teamIds.length === 0 ? undefined : { teamIds };
}

/**
 * The team by which a request is approved that several people approved: what it gives ends with that team. Null where all
 * of them are Owners; undefined where no team is common to those who are none.
 */
export function commonTeam(authorities: readonly Authority[]): number | null | undefined {
  const [first, ...others] = authorities.flatMap(({ teamIds }) => (teamIds === null ? [] : [teamIds]));
  if (first === undefined) return null;
  return first.find((teamId) => others.every((teamIds) => teamIds.includes(teamId)));
}

/** Whether somebody holds all that a request asks for, everywhere that it names. */
export function isHeldIn({ permissions, namespaces }: AskedAccess, held: HeldPermissions): boolean {
  return permissions.every((one) => includes(held.namespacesFor(one), placesOf(namespaces)));
}

/** The permissions of a request that no grant can give in namespaces alone. */
export function impossibleIn({ permissions, namespaces }: AskedAccess): readonly Permission[] {
  return namespaces === null ? [] : permissions.filter((one) => clusterPermissions.has(one));
}

const placesOf = (namespaces: readonly string[] | null) =>
  namespaces === null ? 'all' : new Set(namespaces);
