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

describe('a rule is checked with the definition, in the words of the compiler', () => {
  test.each<[string, string, string]>([
    ['a field that is not there', 'self.b > 1', "1:5: undefined field 'b'\n | self.b > 1\n | ....^"],
    [
      'values of different types',
      'self.a == "x"',
      "1:8: found no matching overload for '_==_' applied to '(int, string)'\n | self.a == \"x\"\n | .......^",
    ],
    [
      'a variable nobody gave',
      'other.a == 1',
      "1:1: undeclared reference to 'other' (in container '')\n | other.a == 1\n | ^",
    ],
    [
      'a function nobody wrote',
      'nope(self.a)',
      "1:5: undeclared reference to 'nope' (in container '')\n | nope(self.a)\n | ....^",
    ],
    [
      'a function of another type',
      'self.a.startsWith("x")',
      "1:18: found no matching overload for 'startsWith' applied to 'int.(string)'\n | self.a.startsWith(\"x\")\n | .................^",
    ],
    [
      'an end that comes too early',
      'self.a >',
      "1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.a >\n | ........^",
    ],
  ])('%s', (_what, rule, problem) => {
    const held = {
      Rule: rule,
      Message: '',
      MessageExpression: '',
      Reason: null,
      FieldPath: '',
      OptionalOldSelf: null,
    };
    expect(refusals(ruled({ a: whole }, rule))).toEqual([
      [
        `${place}.${rules}[0].rule`,
        `Invalid value: ${JSON.stringify(held)}: compilation failed: ERROR: <input>:${problem}`,
      ],
    ]);
  });

  test('it must say yes or no, and its message must be a text', () => {
    const [[, no] = []] = refusals(ruled({ a: whole }, 'self.a'));
    expect(no).toContain('cel expression must evaluate to a bool');
    const [[field, said] = []] = refusals(ruled({ a: whole }, { rule: 'true', messageExpression: 'self.a' }));
    expect(field).toBe(`${place}.${rules}[0].messageExpression`);
    expect(said).toContain('messageExpression must evaluate to a string');
  });

  test('what was before is only there where it can be found again', () => {
    const item = { type: 'object', ...ruled({ n: whole }, 'oldSelf.n == self.n') };
    const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] };
    const named = { ...item, required: ['n'] };
    expect(refusals({ properties: { l: { ...list(named, 5), ...keyed } } })).toEqual([]);
    expect(refusals({ properties: { l: list(item, 5) } })).toEqual([
      [
        `${place}.properties[l].items.${rules}[0].rule`,
        `Invalid value: "oldSelf.n == self.n": oldSelf cannot be used on the uncorrelatable portion of the schema within ${place}.properties[l]`,
      ],
    ]);
  });

  test('rules that are right pass, whatever they are written with', () => {
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

describe('what a rule may cost is estimated from the limits in the schema', () => {
  const dear = 'self.tags.all(t, t.contains("gpu"))';
  const tags = (maxItems?: number, maxLength?: number) =>
    refusals(
      ruled({ tags: list({ ...text, ...(maxLength === undefined ? {} : { maxLength }) }, maxItems) }, dear),
    );

  // The largest lists that a real server takes.
  test.each([
    [16, 909_090],
    [63, 333_333],
    [253, 94_339],
    [1_024, 24_154],
  ])('texts of %d letters: %d of them pass, one more does not', (letters, most) => {
    expect(tags(most, letters)).toEqual([]);
    expect(tags(most + 1, letters)[0]?.[1]).toMatch(
      /^Forbidden: estimated rule cost exceeds budget by factor of 1\.00\d+x \(try simplifying the rule, or adding/,
    );
  });

  test('without limits the rule, its share and the whole are refused', () => {
    const advice =
      '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
    expect(tags()).toEqual([
      [
        `${place}.${rules}[0].rule`,
        `Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${advice}`,
      ],
      [
        `${place}.${rules}[0].rule`,
        'Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      ],
      [
        'spec.validation.openAPIV3Schema',
        `Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${advice}`,
      ],
    ]);
  });

  test('a loop over numbers needs no limit, a loop in a loop does', () => {
    expect(refusals(ruled({ l: list(whole) }, 'self.l.all(x, x == 5)'))).toEqual([]);
    const nested = ruled({ l: list(list(whole)) }, 'self.l.all(x, x.all(y, y == 5))');
    expect(refusals(nested)).toHaveLength(3);
    expect(refusals(ruled({ l: list(list(whole, 10), 10) }, 'self.l.all(x, x.all(y, y == 5))'))).toEqual([]);
  });

  test('a rule below a list counts once for each item that there may be', () => {
    const inner = (most?: number) => ({
      properties: {
        l: list(
          { type: 'object', ...ruled({ a: { ...text, maxLength: 100 } }, 'self.a.contains("x")') },
          most,
        ),
      },
    });
    expect(refusals(inner(1_000))).toEqual([]);
    expect(refusals(inner())[0]?.[1]).toContain('estimated rule cost exceeds budget');
  });
});

test('what all versions have in common is named once, what differs where it is', () => {
  const bad = { subresources: { scale: { specReplicasPath: 'x', statusReplicasPath: '.status.r' } } };
  expect(refusals({}, bad)).toEqual([
    ['spec.subresources.scale.specReplicasPath', 'Invalid value: "x": should be a json path under .spec'],
  ]);
});
