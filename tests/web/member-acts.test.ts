import { describe, expect, test } from 'vitest';
import { memberActions } from '../../commands/actions/members.ts';
import type { Member } from '../../src/contract/members.ts';
import { orgRoles } from '../../src/contract/permissions.ts';
import type { Services } from '../../src/registry/commands/services.ts';
import { cell } from '../../src/web/core/state/state.ts';
import { organisationActs } from '../../src/web/features/organisation/organisation-acts.ts';
import type { OrganisationDialog } from '../../src/web/features/organisation/port.ts';

/** Runs a command of members where nobody or somebody is at hand, and gives what it did. */
async function ran(
  id: string,
  args: object,
  atHand?: number | readonly number[],
): Promise<readonly unknown[]> {
  const done: unknown[] = [];
  const note =
    (name: string) =>
    (...given: readonly unknown[]) =>
      done.push([name, ...given]);
  const part = atHand === undefined ? undefined : { id: atHand, name: 'Ada' };
  const organisation = {
    people: () =>
      Array.isArray(atHand) ? atHand.map((id) => ({ id, name: 'Ada' })) : part === undefined ? [] : [part],
    invitation: () => part,
    act: note('act'),
    setRole: note('setRole'),
    addToTeam: note('addToTeam'),
    actOnInvitation: note('actOnInvitation'),
  };
  const services = { organisation, palette: { ask: note('ask') } } as unknown as Services;
  const command = memberActions.find((one) => one.id === id);
  await command?.run({ args, subject: { type: 'none' }, source: 'key', target: 'here' } as never, services);
  return done;
}

describe('a command on a member', () => {
  test.each(['suspend', 'letIn', 'remove', 'endSessions'])(
    '%s takes who is named, else at hand, else asks',
    async (act) => {
      const id = `members.${act}`;
      expect(await ran(id, { person: 7 }, 3)).toEqual([['act', act, [7], 'key']]);
      expect(await ran(id, {}, 3)).toEqual([['act', act, [3], 'key']]);
      expect(await ran(id, {}, [3, 4])).toEqual([['act', act, [3, 4], 'key']]);
      expect(await ran(id, {})).toEqual([['ask', id]]);
    },
  );

  test('that needs more asks for the rest, with the person that is at hand', async () => {
    expect(await ran('members.role', {}, 3)).toEqual([['ask', 'members.role', { person: 3 }]]);
    expect(await ran('members.role', {}, [3, 4])).toEqual([['ask', 'members.role', { person: [3, 4] }]]);
    expect(await ran('members.role', { person: 7, role: '1' })).toEqual([['setRole', [7], 1]]);
    expect(await ran('members.addToTeam', { team: 2 }, 3)).toEqual([
      ['ask', 'members.addToTeam', { person: 3 }],
    ]);
    expect(await ran('members.addToTeam', { person: 7, team: 2, role: '6' })).toEqual([
      ['addToTeam', [7], 2, 6],
    ]);
  });

  test.each(['resend', 'revoke'])(
    '%s of an invitation takes the one that is named or at hand',
    async (act) => {
      const id = `invitations.${act}`;
      expect(await ran(id, {}, 3)).toEqual([['actOnInvitation', act, 3, 'key']]);
      expect(await ran(id, {})).toEqual([['ask', id]]);
    },
  );
});

/** The acts over members of whom some are suspended, with what they called and asked. */
function actsOver(members: readonly (Pick<Member, 'userId' | 'name' | 'isSuspended'> & Partial<Member>)[]) {
  const called: unknown[] = [];
  const dialog = cell<OrganisationDialog | undefined>(undefined);
  const acts = organisationActs({
    api: { changeMember: (call: unknown) => Promise.resolve(called.push(call)) },
    queryClient: {
      fetchQuery: () => Promise.resolve(members),
      invalidateQueries: () => Promise.resolve(),
      getQueryData: () => members,
    },
    queries: Object.fromEntries(
      [
        'teams',
        'members',
        'invitations',
        'roles',
        'ownReach',
        'clusters',
        'accessRequests',
        'companyProviders',
        'installationProviders',
      ].map((name) => [name, { queryKey: [name] }]),
    ),
    dialog,
    toast: {
      success: (title: string) => called.push(title),
      warning: (title: string, { detail }: { readonly detail: string }) => called.push([title, detail]),
    },
  } as never);
  return { acts, called, asked: () => dialog.get() };
}

describe('an act on a member', () => {
  const ada = { userId: 1, name: 'Ada', isSuspended: false };
  const bo = { userId: 2, name: 'Bo', isSuspended: true };

  test('is asked first where it takes something away, and changes nothing by itself', async () => {
    const { acts, called, asked } = actsOver([ada]);
    await acts.act('suspend', [1], 'button');
    expect(asked()).toEqual({ type: 'ask', act: 'suspend', about: [{ id: 1, name: 'Ada' }] });
    expect(called).toEqual([]);
  });

  test('is made at once where it only gives', async () => {
    const { acts, called, asked } = actsOver([bo]);
    await acts.act('letIn', [2], 'button');
    expect(called).toEqual([{ params: { userId: 2 }, body: { isSuspended: false } }, 'Bo is let in again']);
    expect(asked()).toBeUndefined();
  });

  test('is asked first by a key, which may be a letter of a word', async () => {
    const { acts, called, asked } = actsOver([bo]);
    await acts.act('letIn', [2], 'key');
    expect(asked()).toEqual({ type: 'ask', act: 'letIn', about: [{ id: 2, name: 'Bo' }] });
    expect(called).toEqual([]);
  });

  test('on several is made for those it applies to, and one that is refused keeps no other from it', async () => {
    const { acts, called, asked } = actsOver([ada, bo, { userId: 3, name: 'Cy', isSuspended: false }]);
    await acts.act('suspend', [1, 2, 3], 'button');
    expect(asked()).toEqual({
      type: 'ask',
      act: 'suspend',
      about: [
        { id: 1, name: 'Ada' },
        { id: 3, name: 'Cy' },
      ],
    });
    await acts.setRole([1, 2], 2);
    expect(called.at(-1)).toBe('2 people are Members now');
    await expect(acts.setRole([1, 2], 1)).rejects.toThrow('Make people Owners one at a time.');
  });

  test('is not asked of the last Owner who is not suspended', async () => {
    const owner = { ...ada, orgRole: orgRoles.Owner };
    const { acts, asked } = actsOver([owner, { ...bo, orgRole: orgRoles.Owner }]);
    const reason = 'Ada is the last Owner of the organisation. Make somebody else an Owner first.';
    for (const act of ['suspend', 'remove'] as const)
      await expect(acts.act(act, [1], 'key')).rejects.toThrow(reason);
    await expect(acts.setRole([1], orgRoles.Member)).rejects.toThrow(reason);
    expect(asked()).toBeUndefined();
  });

  test('is refused in words where there is nothing to do', async () => {
    const { acts } = actsOver([ada, bo]);
    await expect(acts.act('letIn', [1], 'button')).rejects.toThrow('Ada is not suspended.');
    await expect(acts.act('suspend', [2], 'button')).rejects.toThrow('Bo is suspended already.');
    await expect(acts.act('remove', [9], 'button')).rejects.toThrow(
      'This person is no longer in your organisation.',
    );
  });
});
