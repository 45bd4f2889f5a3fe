import { expect, test } from 'vitest';
import { ruleCauses } from '../../src/playground/custom/rules.ts';
import type { Structural } from '../../src/playground/registry/structural.ts';

const text: Structural = { type: 'string' };
const properties = {
  t: text,
  d: { type: 'string', format: 'duration' },
  l: { type: 'array', items: text },
  n: { type: 'array', items: { type: 'integer' } },
} satisfies Record<string, Structural>;

/** The messages with which a rule refuses a value; empty when it accepts. */
const refusal = (rule: string, value: unknown) =>
  ruleCauses({ type: 'object', properties, 'x-kubernetes-validations': [{ rule, message: 'no' }] }, value, {})
    .map(({ message }) => message)
    .join();

const link = 'https://example.com:80/a?x=1';

test.each([
  ["isIP(self.t) && ip(self.t).family() == 4 && string(ip(self.t)) == '10.0.0.1'", { t: '10.0.0.1' }],
  ['ip(self.t).isLoopback() && !ip(self.t).isGlobalUnicast() && ip.isCanonical(self.t)', { t: '::1' }],
  ["!ip.isCanonical(self.t) && ip(self.t) == ip('2001:db8::1')", { t: '2001:DB8:0::1' }],
  ["cidr(self.t).containsIP('10.2.3.4') && !cidr(self.t).containsIP(ip('11.0.0.1'))", { t: '10.0.0.0/8' }],
  ["cidr(self.t).prefixLength() == 8 && cidr(self.t).masked() == cidr('10.0.0.0/8')", { t: '10.1.0.0/8' }],
  ["cidr('10.0.0.0/8').containsCIDR(cidr(self.t)) && isCIDR(self.t)", { t: '10.0.1.0/24' }],
  ["isQuantity(self.t) && quantity(self.t).isGreaterThan(quantity('1Gi'))", { t: '2Gi' }],
  ["quantity(self.t).add(quantity('1')).sub(1).compareTo(quantity('2')) == 0", { t: '2' }],
  ['quantity(self.t).asApproximateFloat() == 1.5 && !quantity(self.t).isInteger()', { t: '1500m' }],
  ["quantity(self.t) == quantity('1') && semver('1.2.3') != semver('1.2.4')", { t: '1000m' }],
  ['isSemver(self.t) && semver(self.t).minor() == 2', { t: '1.2.3' }],
  ["semver(self.t).isLessThan(semver('1.2.3')) && semver('v1.2', true).patch() == 0", { t: '1.2.3-rc.1' }],
  ["sets.contains(self.l, ['a']) && sets.equivalent(self.l, ['b', 'a', 'a'])", { l: ['a', 'b'] }],
  ["sets.intersects(self.l, ['b', 'c']) && !sets.intersects(self.l, ['c'])", { l: ['a', 'b'] }],
  ['format.dns1123Label().validate(self.t).hasValue()', { t: 'A' }],
  ["!format.named('dns1123Label').value().validate(self.t).hasValue()", { t: 'a' }],
  ["url(self.t).getHost() == 'example.com:80' && url(self.t).getPort() == '80'", { t: link }],
  ["url(self.t).getQuery()['x'] == ['1'] && url(self.t).getEscapedPath() == '/a'", { t: link }],
  ["self.t.find('[0-9]+') == '12' && self.t.findAll('[0-9]') == ['1', '2']", { t: 'a12' }],
  ["self.t.replace('a', 'b', 1) == 'ba' && self.t.charAt(1) == 'a'", { t: 'aa' }],
  ["self.d < duration('1h')", { d: '5m' }],
  [
    'self.n.slice(0, 2) == [3, 1] && self.n.sort() == [1, 1, 3] && self.n.distinct() == [3, 1]',
    { n: [3, 1, 1] },
  ],
  ['self.n.first().value() == 3 && self.n.last().orValue(9) == 1 && lists.range(2) == [0, 1]', { n: [3, 1] }],
])('the rule %s accepts its value', (rule, value) => {
  expect(refusal(rule, value)).toBe('');
});

test.each([
  ['ip(self.t).isLoopback()', 'nowhere', 'IP Address "nowhere" parse error during conversion from string'],
  ["ip(self.t) == ip('::1')", '::ffff:1.2.3.4', 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
  ['cidr(self.t).prefixLength() == 8', '10.0.0.0', 'netip.ParsePrefix("10.0.0.0"): no \'/\''],
  ['self.t.charAt(7) == "a"', 'a', 'index out of range: 7'],
])("the rule %s fails for %s with the server's error", (rule, value, why) => {
  const message = refusal(rule, { t: value });
  expect(message).toContain(why);
  expect(message).toMatch(/evaluating rule: no$/);
});
