import type { Member } from '../../../contract/members.ts';
import type { Registry } from '../../../registry/commands/registry.ts';
import { type Candidate, candidate } from './rank-entries.ts';

/** The people of the company, found by name and address: choosing one opens their page. */
export const peopleCandidates = (
  registry: Pick<Registry, 'href'>,
  members: readonly Member[],
): readonly Candidate[] =>
  members.map(({ userId, name, email, isSuspended }) =>
    candidate(
      {
        id: `open person ${userId}`,
        section: 'People',
        title: name,
        note: isSuspended ? `${email} · suspended` : email,
        icon: 'account',
        act: { type: 'place', href: registry.href('members.one', { userId: String(userId) }) },
      },
      [email, 'member', 'person'],
    ),
  );
