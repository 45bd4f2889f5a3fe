import type { CommandArg } from '../../../registry/commands/command.ts';
import { textBefore } from '../../../registry/kinds/change-text.ts';
import type { ArgDefinitions, Facts } from '../../../registry/kinds/kind-action.ts';
import { readTypedValue } from '../../../registry/palette/values.ts';
import type { Content } from './content.ts';
import type { Pending } from './pending.ts';
import { answerWith } from './step-choices.ts';

/** An argument whose value is typed. */
type TypedArg = Extract<CommandArg, { readonly type: 'number' | 'text' | 'member' | 'map' }>;

/** The present value of an argument, where it is known; else the empty text. */
export function presentValue(definition: CommandArg, { command, args }: Pending, facts: Facts): string {
  if (definition.type === 'number') {
    const value = definition.from === undefined ? undefined : facts[definition.from];
    return typeof value === 'number' ? String(value) : '';
  }
  if (definition.type !== 'text') return '';
  const definitions = (command.type === 'action' ? command.args : undefined) ?? {};
  return textBefore(definition, definitions as ArgDefinitions, { facts, chosen: (one) => args[one] });
}

/** The level that asks for a typed argument: the value that the text stands for, or what is wrong with it. */
export function typedContent(
  definition: TypedArg,
  text: string,
  { present, preview }: { readonly present: string; readonly preview: Content['preview'] },
): Content {
  const hint = `${present === '' ? '' : `Now ${present}. `}${hintOf(definition)}`;
  const read = readTypedValue(definition, text);
  if ('issue' in read) return { entries: [], placeholder: hint, empty: text === '' ? hint : read.issue };
  const isChange = present !== '' && present !== read.label;
  return {
    entries: [
      {
        id: 'typed',
        section: definition.label,
        title: isChange ? `${present} → ${read.label}` : read.label,
        icon: 'check',
        act: answerWith(read.value, read.label),
      },
    ],
    placeholder: hint,
    preview,
  };
}

function hintOf(definition: TypedArg): string {
  switch (definition.type) {
    case 'number':
      return `${definition.min} to ${definition.max}`;
    case 'map':
      return 'key=value sets, key- removes';
    case 'member':
      return definition.label;
    case 'text':
      return definition.help ?? definition.label;
    default:
      return definition satisfies never;
  }
}
