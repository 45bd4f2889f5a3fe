import type { JSONSchema } from 'monaco-yaml';

/** A kind as documents name it, and what its cluster says of it. */
export interface KnownSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: JSONSchema;
}

/**
 * One schema for a text of several kinds: each document is held against that of its own. Documents of other kinds are
 * not judged.
 * @param kinds names of kinds, to be completed
 */
export function rootSchema(known: readonly KnownSchema[], kinds: readonly string[]): JSONSchema {
  return {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string', examples: [...kinds] },
      metadata: { type: 'object' },
    },
    allOf: known.map(({ apiVersion, kind }, index) => ({
      if: {
        properties: { apiVersion: { const: apiVersion }, kind: { const: kind } },
        required: ['apiVersion', 'kind'],
      },
      // oxlint-disable-next-line unicorn/no-thenable -- the word of JSON schema
      then: { $ref: `#/definitions/document${index}` },
    })),
    definitions: Object.assign(
      {},
      // Of one cluster: what has one name in several schemas is one thing.
      ...known.map(({ schema }) => schema.definitions ?? {}),
      ...known.map(({ schema }, index) => ({ [`document${index}`]: { ...schema, definitions: undefined } })),
    ) as Record<string, JSONSchema>,
  };
}
