import { execute } from '../../registry/commands/execute.ts';
import type { Registry } from '../../registry/commands/registry.ts';
import type { Services } from '../../registry/commands/services.ts';
import type { CommandsPort, Moment } from '../core/commands.ts';
import type { KeymapStore } from '../core/state/keymap.ts';
import { observed } from '../core/state/state.ts';
import { loadLaterParts } from '../kit/lazy-later.ts';

/** Makes the running of commands, and the loading of those that the first screen does without. */
export function createCommands(
  registry: Registry,
  services: Services,
  moment: Moment,
  keymap: KeymapStore,
): CommandsPort {
  const isWhole = observed(false);
  // Nothing is kept of a try that failed: the next one loads again.
  let completing: Promise<void> | undefined;
  const complete = () =>
    (completing ??= import('../../../commands/index.ts').then(
      ({ commands }) => {
        registry.complete(commands);
        keymap.setCommands(commands);
        isWhole.set(true);
        // They are in the same chunk, and what runs now may open one of them.
        loadLaterParts();
      },
      (error: unknown) => {
        completing = undefined;
        throw error;
      },
    ));
  const whole = () =>
    complete().catch((error: unknown) => {
      services.toast.error(
        'The commands of this page could not be loaded. Check your connection and try again.',
      );
      throw error;
    });
  const runNow: CommandsPort['run'] = (id, args = {}, invocation = {}) =>
    void execute(
      registry.get(id),
      { subject: moment.subject(), source: 'button', target: 'here', ...invocation, args },
      services,
    );
  const run: CommandsPort['run'] = (id, args, invocation) => {
    if (registry.has(id) || registry.isWhole) runNow(id, args, invocation);
    else
      whole().then(
        () => runNow(id, args, invocation),
        (error: unknown) => services.log(`The command ${id} could not be loaded.`, error),
      );
  };
  return { registry, isWhole, complete, whole, services, moment, run };
}
