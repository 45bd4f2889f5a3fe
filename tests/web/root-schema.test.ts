import { describe, expect, test } from 'vitest';
import { rootSchema } from '../../src/web/features/editor/root-schema.ts';

const schema = (name: string) => ({
  type: 'object',
  definitions: { [name]: { type: 'string' } },
  properties: { field: { $ref: `#/definitions/${name}` } },
});

describe('the schema of a text', () => {
  test('holds each document against that of its own kind, and others against none', () => {
    const root = rootSchema(
      [
        { apiVersion: 'v1', kind: 'Pod', schema: schema('Pod') },
        { apiVersion: 'apps/v1', kind: 'Deployment', schema: schema('Deployment') },
      ],
      ['Pod'],
    );
    expect(JSON.stringify(root.allOf?.[0])).toBe(
      '{"if":{"properties":{"apiVersion":{"const":"v1"},"kind":{"const":"Pod"}},"required":["apiVersion","kind"]},' +
        '"then":{"$ref":"#/definitions/document0"}}',
    );
    expect(JSON.stringify(root.allOf?.[1])).toContain('"then":{"$ref":"#/definitions/document1"}');
    expect(Object.keys(root.definitions ?? {})).toEqual(['Pod', 'Deployment', 'document0', 'document1']);
    expect(root.definitions?.['document1']).toEqual({
      type: 'object',
      properties: { field: { $ref: '#/definitions/Deployment' } },
    });
    expect(root.additionalProperties).toBeUndefined();
  });
});
