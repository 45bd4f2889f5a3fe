import { describe, expect, test } from 'vitest';
import { definitionCauses } from '../../src/playground/custom/definition-rules.ts';
import type { Rec } from '../../src/playground/kit/values.ts';

const rules = 'x-kubernetes-validations';
const place = 'spec.validation.openAPIV3Schema.properties[spec]';

/** Why a definition whose spec has this schema is refused: field and message of each cause. */
function refusals(spec: Rec, more: Rec = {}): (readonly [field: string, message: string])[] {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', ...spec } } } };
  const names = { plural: 'kettles', singular: 'kettle', kind: 'Kettle', listKind: 'KettleList' };
  return definitionCauses(
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'kettles.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names,
        conversion: { strategy: 'None' },
        versions: [{ name: 'v1', served: true, storage: true, schema, ...more }],
      },
    },
    undefined,
  ).map(({ field, message }) => [field, message]);
}

const text = { type: 'string' };
const whole = { type: 'integer' };
const list = (items: Rec, maxItems?: number): Rec => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
});
const ruled = (properties: Rec, ...given: (string | Rec)[]): Rec => ({
  properties,
  [rules]: given.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});

describe('the validation rules of a definition', () => {
  test('are refused with the error of the compiler when they do not parse', () => {
    const printed = {
      Rule: 'self.a >',
      Message: '',
      MessageExpression: '',
      Reason: null,
      FieldPath: '',
      OptionalOldSelf: null,
    };
    const syntaxError =
      "ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.a >\n | ........^";
    expect(refusals(ruled({ a: whole }, 'self.a >'))).toEqual([
      [
        `${place}.${rules}[0].rule`,
        `Invalid value: ${JSON.stringify(printed)}: compilation failed: ${syntaxError}`,
      ],
    ]);
  });

  test('are refused when their messageExpression does not parse', () => {
    const [[field, message] = []] = refusals(
      ruled({ a: whole }, { rule: 'true', messageExpression: 'self.a +' }),
    );
    expect(field).toBe(`${place}.${rules}[0].messageExpression`);
    expect(message).toContain('messageExpression compilation failed: ERROR: <input>:1:9: Syntax error');
  });

  test('may use oldSelf below a list only when the items have keys', () => {
    const item = { type: 'object', ...ruled({ n: whole }, 'oldSelf.n == self.n') };
    const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] };
    const required = { ...item, required: ['n'] };
    expect(refusals({ properties: { l: { ...list(required, 5), ...keyed } } })).toEqual([]);
    expect(refusals({ properties: { l: list(item, 5) } })).toEqual([
      [
        `${place}.properties[l].items.${rules}[0].rule`,
        `Invalid value: "oldSelf.n == self.n": oldSelf cannot be used on the uncorrelatable portion of the schema within ${place}.properties[l]`,
      ],
    ]);
  });

  test('are accepted with every operator, macro and library function', () => {
    const properties = {
      a: { ...text, maxLength: 5 },
      n: whole,
      tags: list({ ...text, maxLength: 10 }, 10),
      labels: { type: 'object', additionalProperties: { ...text, maxLength: 63 }, maxProperties: 5 },
      since: { type: 'string', format: 'date-time' },
      port: { 'x-kubernetes-int-or-string': true },
    };
    const given = [
      'self.a.matches("^[a-z]+$")',
      'self.since < timestamp("2020-01-01T00:00:00Z")',
      'oldSelf.a == self.a',
      "self.?a.orValue('x') != 'y'",
      "self.a in ['a', 'b'] || self.n > 3",
      'has(self.a) ? size(self.a) < 3 : true',
      'self.tags.all(t, t.startsWith("x") && self.tags.exists_one(u, u == t))',
      'self.tags.map(t, t.size()).sum() > 3',
      'self.labels.all(k, self.labels[k] != "")',
      'self.tags.filter(t, t != self.a).size() == 0',
      'self.port == 80 || self.port == "http"',
      "quantity('1Gi').isGreaterThan(quantity('1Mi'))",
      "sets.contains(self.tags, ['a'])",
      '-self.n < 1 && !(self.n == 2)',
    ];
    expect(refusals(ruled(properties, ...given))).toEqual([]);
  });
});

test('a definition reports causes that all versions share once, and others at their version', () => {
  const bad = { subresources: { scale: { specReplicasPath: 'x', statusReplicasPath: '.status.r' } } };
  expect(refusals({}, bad)).toEqual([
    ['spec.subresources.scale.specReplicasPath', 'Invalid value: "x": should be a json path under .spec'],
  ]);
});
