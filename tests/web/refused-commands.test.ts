import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { bindingsOf, declaredKeys } from '../../src/registry/keys/keymap.ts';
import { whyNot } from '../../src/registry/keys/why-not.ts';
import { canBeRefused, contextFor, guardedCommands, questionAbout } from '../refused-questions.ts';

const bindings = bindingsOf(commands);

describe('a command that needs a right', () => {
  test.each(guardedCommands.map((command) => [command.id, command] as const))(
    '%s is asked about in the palette of whoever lacks the right, by what is missing and where',
    (_, command) => {
      const question = questionAbout(command, { clusterId: 1, teamId: 5 });
      expect(question).toMatchObject({
        args: { what: expect.stringMatching(/\S/), needs: expect.any(String) },
      });
      const needs = question?.args['needs'];
      if (needs === 'team') expect(question?.args).toMatchObject({ team: '5' });
      else if (needs !== 'owner') expect(question?.subject.type).not.toBe('none');
    },
  );

  test.each(
    commands
      .filter((command) => canBeRefused(command) && declaredKeys(command).length > 0)
      .map((command) => [command.id, command] as const),
  )('%s says by its keys what is missing, and where to ask', (_, command) => {
    const binding = bindings.find((one) => one.command.id === command.id);
    const said = whyNot(binding === undefined ? [] : [binding], binding?.strokes ?? [], {
      context: { ...contextFor({ when: command.keysWhen ?? command.when }), overlay: 'none' },
      may: () => false,
      kindTitle: () => undefined,
    });
    expect(said?.text).toMatch(/ (?:is for|needs) .*“Why can I not …” in the palette shows who/);
  });
});
