import * as z from 'zod/mini';
import type { ArgDefinition, ArgDefinitions } from './kind-action.ts';

/** Maximum length of a label or annotation key that the console sends; the cluster checks its own rules. */
const maxKeyLength = 317;
const maxValueLength = 256 * 1024;

function argSchema(definition: ArgDefinition): z.ZodMiniType {
  switch (definition.type) {
    case 'number': {
      const { label, min, max } = definition;
      const sentence = `${label} must be a whole number from ${min} to ${max}.`;
      return z.int(sentence).check(z.minimum(min, sentence), z.maximum(max, sentence));
    }
    case 'revision':
      return z.int('Choose a revision.').check(z.positive('Choose a revision.'));
    case 'text': {
      const text = z.string(`${definition.label} is missing.`).check(z.maxLength(1000));
      return definition.pattern === undefined
        ? text
        : text.check(
            z.regex(new RegExp(definition.pattern), definition.help ?? `${definition.label} is not valid.`),
          );
    }
    case 'member':
      return z
        .string(`${definition.label} is missing.`)
        .check(z.minLength(1, `${definition.label} is missing.`), z.maxLength(253));
    case 'choice':
      return z._default(
        z.enum(
          definition.options.map(({ value }) => value),
          `${definition.label} must be one of ${definition.options.map(({ value }) => value).join(', ')}.`,
        ),
        definition.default,
      );
    case 'map': {
      const what = definition.of === 'labels' ? 'label' : 'annotation';
      return z
        .record(
          z.string().check(z.minLength(1), z.maxLength(maxKeyLength)),
          z.nullable(z.string().check(z.maxLength(maxValueLength))),
          {
            error: `Give at least one ${what}.`,
          },
        )
        .check(z.refine((entries) => Object.keys(entries).length > 0, `Give at least one ${what}.`));
    }
    default:
      return definition satisfies never;
  }
}

/** The schema of an action's arguments: accepts exactly the declared ones and fills in defaults. */
export function argsSchema(definitions: ArgDefinitions = {}): z.ZodMiniType<Record<string, unknown>> {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(definitions).map(([name, definition]) => [name, argSchema(definition)]),
    ),
  );
}
