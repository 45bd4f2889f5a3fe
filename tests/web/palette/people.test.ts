import { describe, expect, test } from 'vitest';
import { isOrganisationArg } from '../../../src/registry/commands/command.ts';
import { missingSteps } from '../../../src/registry/palette/steps.ts';
import { commandEntry } from '../../../src/web/features/palette/command-entries.ts';
import { firstFrames, lastFrame } from '../../../src/web/features/palette/frames.ts';
import { nextStep } from '../../../src/web/features/palette/pending.ts';
import { answerChanges, preselectedAnswer } from '../../../src/web/features/palette/preselect.ts';
import {
  invitationChoices,
  optionChoices,
  personChoices,
} from '../../../src/web/features/palette/step-choices.ts';
import { openingWith, pageContext, registry } from '../palette-moment.ts';

const ada = { id: 3, name: 'Ada' };
const onAda = openingWith({
  context: { ...pageContext, route: 'members' },
  atHand: { person: ada, invitation: { id: 4, name: 'ben@example.com' } },
});

const aboutPeople = registry.commands.filter(
  (command) =>
    command.type === 'action' &&
    Object.values(command.args ?? {}).some(({ type }) => isOrganisationArg(type)),
);

describe('a command about people', () => {
  test.each(aboutPeople.map(({ id }) => id))('%s asks for them, whoever is under the cursor', (id) => {
    const { act } = commandEntry(registry.get(id), onAda);
    if (act.type !== 'command') throw new Error('It is no command.');
    expect(act.args).toEqual({});
    const [first] = missingSteps(act.command, act);
    expect(first?.type === 'arg' && isOrganisationArg(first.arg.type)).toBe(true);
  });

  test('offers whoever is under the cursor first, by name', () => {
    const person = (userId: number, name: string) => ({ userId, name, email: '', orgRole: 6 });
    const people = personChoices([person(1, 'Bo'), person(3, 'Ada')] as never, ada);
    expect(people.map(({ title }) => title)).toEqual(['Ada', 'Bo']);
    const invitation = (inviteId: number, email: string) => ({ inviteId, email, state: 'open' });
    const open = invitationChoices([invitation(1, 'a@x'), invitation(4, 'b@x')] as never, {
      id: 4,
      name: 'b@x',
    });
    expect(open.map(({ title }) => title)).toEqual(['b@x', 'a@x']);
  });

  test('that a key begins on a member shows the name while it asks for the rest', () => {
    const frame = lastFrame(firstFrames({ ...onAda, asks: 'members.role', args: { person: 3 } }, registry));
    expect(frame.type === 'step' && frame.pending.answers).toEqual(['Ada']);
  });

  test('that a key begins highlights no answer that changes something, unless its whole title is typed', () => {
    const roleOf = { ...onAda, asks: 'members.role', args: { person: 3 } };
    const frame = lastFrame(firstFrames(roleOf, registry));
    expect(answerChanges(frame)).toBe(true);
    expect(answerChanges(lastFrame(firstFrames({ ...roleOf, args: {} }, registry)))).toBe(false);
    // An act without another question, and one that asks before it is done.
    const askedFor = (asks: string) => lastFrame(firstFrames({ ...onAda, asks, args: {} }, registry));
    expect(['invitations.resend', 'members.letIn'].map((id) => answerChanges(askedFor(id)))).toEqual([
      true,
      true,
    ]);
    expect(['invitations.revoke', 'members.suspend'].map((id) => answerChanges(askedFor(id)))).toEqual([
      false,
      false,
    ]);
    const role = frame.type === 'step' ? nextStep(frame.pending) : undefined;
    if (role?.type !== 'arg' || role.arg.type !== 'choice') throw new Error('The last step is no choice.');
    const answers = optionChoices(role.arg);
    const highlighted = (text: string) => preselectedAnswer(answers, { text })?.title;
    expect(['', 'own', 'o', 'owner', 'Member '].map(highlighted)).toEqual([
      undefined,
      undefined,
      undefined,
      'Owner',
      'Member',
    ]);
  });
});
