import type { LogTurn } from '../../../registry/commands/services.ts';
import { logLevels } from './level.ts';
import { type LogOptions, nextOf, sinceChoices, tailChoices, timeChoices } from './options.ts';

/**
 * The options that a command of the log changes, to their next value.
 * @param containers names to choose from
 * @returns undefined for a command that changes no option
 */
export function optionsAfter(
  what: LogTurn,
  options: LogOptions,
  containers: readonly string[],
): Partial<LogOptions> | undefined {
  const values = <T>(choices: readonly { readonly value: T }[]): readonly T[] =>
    choices.map(({ value }) => value);
  switch (what) {
    case 'previous':
      return { previous: !options.previous };
    case 'wrap':
      return { isWrapped: !options.isWrapped };
    case 'times':
      return { times: nextOf(values(timeChoices), options.times) };
    case 'since':
      return { since: nextOf(values(sinceChoices), options.since) };
    case 'tail':
      return { tail: nextOf(tailChoices, options.tail) };
    case 'level':
      return { level: nextOf([undefined, ...logLevels], options.level) };
    case 'only':
      return { isOnly: !options.isOnly };
    case 'regex':
      return { isRegex: !options.isRegex };
    case 'fields':
      return { hasFields: !options.hasFields };
    case 'container':
      return { container: nextOf(containers, options.container) };
    case 'pause':
    case 'expand':
    case 'download':
    case 'copy':
      return undefined;
    default:
      return what satisfies never;
  }
}
