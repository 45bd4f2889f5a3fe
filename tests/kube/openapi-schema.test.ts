import { describe, expect, it } from 'vitest';
import { schemaOfKind } from '../../src/kube/openapi-schema.ts';

const boat = { group: 'sail.example.org', version: 'v1', kind: 'Boat' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function documentOf(properties: object, more: Readonly<Record<string, unknown>> = {}): unknown {
  return {
    components: {
      schemas: {
        Boat: {
          type: 'object',
          'x-kubernetes-group-version-kind': [boat],
          properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...properties },
        },
        ...more,
      },
    },
  };
}

const propertiesOf = (properties: object, more?: Readonly<Record<string, unknown>>): unknown =>
  schemaOfKind(documentOf(properties, more), boat)?.['properties'];

describe('the schema of a kind', () => {
  it('describes the requested kind, and is undefined for a kind that the document lacks', () => {
    expect(schemaOfKind(documentOf({}), boat)).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['apiVersion', 'kind'],
      properties: { apiVersion: { const: 'sail.example.org/v1' }, kind: { const: 'Boat' } },
    });
    expect(schemaOfKind(documentOf({}), { ...boat, version: 'v2' })).toBeUndefined();
    for (const odd of [undefined, null, 'text', [], {}, { components: { schemas: [] } }])
      expect(schemaOfKind(odd, boat)).toBeUndefined();
  });

  it('contains the definitions that it uses, and no others', () => {
    const schema = schemaOfKind(
      documentOf(
        { spec: { description: 'Its sails.', default: {}, allOf: [ref('Sails')] } },
        {
          Sails: { type: 'object', properties: { jib: { allOf: [ref('Sails')] }, cloth: ref('Cloth') } },
          Cloth: { type: 'string' },
          Anchor: { type: 'string' },
        },
      ),
      boat,
    );
    expect(schema?.['properties']).toMatchObject({
      spec: { $ref: '#/definitions/Sails', description: 'Its sails.' },
    });
    expect(Object.keys(schema?.['definitions'] ?? {}).sort()).toEqual(['Cloth', 'Sails']);
    expect(schema?.['definitions']).toMatchObject({
      Sails: { properties: { jib: { $ref: '#/definitions/Sails' }, cloth: { $ref: '#/definitions/Cloth' } } },
    });
  });

  it('covers numbers or strings, nullable fields, and quantities', () => {
    expect(
      propertiesOf({
        port: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
        custom: { 'x-kubernetes-int-or-string': true, pattern: '^(a+)+$' },
        length: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        name: { type: 'string', nullable: true },
      }),
    ).toMatchObject({
      port: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      custom: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      length: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      name: { type: ['string', 'null'] },
    });
  });

  it('forbids unknown fields only where the server would not keep them', () => {
    expect(
      propertiesOf({
        closed: { type: 'object', properties: { a: { type: 'string' } } },
        kept: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { a: { type: 'string' } },
        },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        anything: { type: 'object' },
      }),
    ).toMatchObject({
      closed: { additionalProperties: false },
      kept: expect.not.objectContaining({ additionalProperties: false }),
      map: { additionalProperties: { type: 'string' } },
      anything: { type: 'object' },
    });
  });

  it('omits defaults, patterns and the status, and cleans descriptions', () => {
    const text = JSON.stringify(
      propertiesOf({
        name: { type: 'string', default: 'x', pattern: '^(a+)+$', description: 'red\u001b[31m \u202Eback' },
        status: { type: 'object', properties: { phase: { type: 'string' } } },
      }),
    );
    expect(text).toContain('"description":"red back"');
    for (const word of ['default', 'pattern', 'phase']) expect(text).not.toContain(word);
  });

  it('ends at self-references, at missing references and at the maximum depth', () => {
    let deep: object = { type: 'string' };
    for (let level = 0; level < 10_000; level += 1) deep = { type: 'array', items: deep };
    const schema = schemaOfKind(
      documentOf({ deep, gone: ref('Gone'), proto: ref('__proto__'), elsewhere: { $ref: 'http://x/y' } }),
      boat,
    );
    expect(JSON.stringify(schema).length).toBeLessThan(5_000);
    expect(schema?.['definitions']).toMatchObject({ Gone: {} });
  });
});
