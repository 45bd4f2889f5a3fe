import { z } from 'zod';
import type { ArgDefinition, ArgDefinitions } from './kind-action.ts';

/** Longest key and value of a label or annotation that is sent on; the cluster has its own rules. */
const longestKey = 317;
const longestValue = 256 * 1024;

function argSchema(definition: ArgDefinition): z.ZodType {
  switch (definition.type) {
    case 'number': {
      const { label, min, max } = definition;
      const sentence = `${label} is a whole number from ${min} to ${max}.`;
      return z.int(sentence).min(min, sentence).max(max, sentence);
    }
    case 'revision':
      return z.int('Choose a revision.').positive('Choose a revision.');
    case 'text': {
      const text = z.string(`${definition.label} is missing.`).max(1000);
      return definition.pattern === undefined
        ? text
        : text.regex(new RegExp(definition.pattern), definition.help ?? `${definition.label} is not valid.`);
    }
    case 'member':
      return z.string(`${definition.label} is missing.`).min(1, `${definition.label} is missing.`).max(253);
    case 'choice':
      return z
        .enum(
          definition.options.map(({ value }) => value),
          `${definition.label} is one of ${definition.options.map(({ value }) => value).join(', ')}.`,
        )
        .default(definition.default);
    case 'map': {
      const what = definition.of === 'labels' ? 'label' : 'annotation';
      return z
        .record(z.string().min(1).max(longestKey), z.string().max(longestValue).nullable(), {
          error: `Say at least one ${what}.`,
        })
        .refine((entries) => Object.keys(entries).length > 0, `Say at least one ${what}.`);
    }
    default:
      return definition satisfies never;
  }
}

/** What a call may give an action: exactly its arguments, defaults filled in. */
export function argsSchema(definitions: ArgDefinitions = {}): z.ZodType<Record<string, unknown>> {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(definitions).map(([name, definition]) => [name, argSchema(definition)]),
    ),
  );
}
