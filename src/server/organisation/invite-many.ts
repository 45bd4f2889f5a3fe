import type { Logger } from 'pino';
import { emailSchema } from '../../contract/account.ts';
import type { InviteOutcome, InviteResult } from '../../contract/invitations.ts';
import { type OrgRole, orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { describeError } from '../kit/describe-error.ts';
import { type Invitations, NotInvited, type OfferedTeam } from './invitations.ts';

/** Several addresses as an Owner invites them. */
export interface InviteManyInput {
  readonly invitations: readonly {
    /** As it was typed. */
    readonly email: string;
    /** Teams of this address, beside those of all; of a team that is in both, the role here counts. */
    readonly teams: readonly OfferedTeam[];
  }[];
  readonly orgRole: OrgRole;
  readonly teams: readonly OfferedTeam[];
  readonly message: string;
}

/**
 * Invites one address after the other: what is wrong with one keeps none of the others. Throws Problem 400 for several
 * Owners at once, and 403 once the person is no Owner any more.
 */
export async function inviteMany(
  invitations: Invitations,
  person: Member,
  input: InviteManyInput,
  log: Logger,
): Promise<InviteOutcome[]> {
  if (input.orgRole === orgRoles.Owner && input.invitations.length > 1)
    throw new Problem({ status: 400, title: 'Invite Owners one at a time, so that none comes by mistake.' });
  const seen = new Set<string>();
  const outcomes: InviteOutcome[] = [];
  for (const { email: typed, teams } of input.invitations) {
    const parsed = emailSchema.safeParse(typed.trim());
    if (!parsed.success) {
      outcomes.push(refused(typed, 'bad-address', parsed.error.issues[0]?.message ?? ''));
      continue;
    }
    const email = parsed.data;
    if (seen.has(email)) {
      outcomes.push(refused(typed, 'repeated', `${email} is listed more than once.`));
      continue;
    }
    seen.add(email);
    const { orgRole, message } = input;
    outcomes.push(
      await outcomeOf(typed, log, () =>
        invitations.create(person, { email, orgRole, message, teams: teamsOf(input.teams, teams) }),
      ),
    );
  }
  return outcomes;
}

/** The teams that one address is offered. */
export function teamsOf(all: readonly OfferedTeam[], own: readonly OfferedTeam[]): readonly OfferedTeam[] {
  return [...all.filter(({ teamId }) => own.every((one) => one.teamId !== teamId)), ...own];
}

const refused = (email: string, result: InviteResult, problem: string): InviteOutcome => ({
  email,
  result,
  problem,
});

const results: Readonly<Record<number, InviteResult>> = {
  400: 'bad-address',
  402: 'no-seat',
  404: 'no-team',
  429: 'day-over',
};

async function outcomeOf(
  email: string,
  log: Logger,
  create: () => ReturnType<Invitations['create']>,
): Promise<InviteOutcome> {
  try {
    return { email, result: 'invited', problem: '', sent: await create() };
  } catch (error) {
    if (error instanceof NotInvited) return refused(email, error.result, error.title);
    if (error instanceof Problem) {
      if (error.status === 403) throw error;
      return refused(email, results[error.status] ?? 'failed', error.title);
    }
    // The links of those before it are in this answer alone.
    log.error({ err: describeError(error) }, 'One of several invitations failed');
    return refused(email, 'failed', 'This invitation could not be stored. Invite the address again.');
  }
}
