import { isIP } from 'node:net';
import { type Cause, cause } from '../../kit/status.ts';
import { type Rec, str } from '../../kit/values.ts';
import { emptyScope, oneOf, requiredAddress } from './rule.ts';

const families = ['IPv4', 'IPv6'];
const policies = oneOf(['PreferDualStack', 'RequireDualStack', 'SingleStack']);
const stringsOf = (value: unknown) => (Array.isArray(value) ? value : []) as string[];

/** The causes for which a service's addresses, IP families and family policy contradict each other. */
export function addressCauses(spec: Rec): Cause[] {
  if (spec['type'] === 'ExternalName') return [];
  const field = 'spec.clusterIPs';
  const [first, given] = [str(spec['clusterIP']), stringsOf(spec['clusterIPs'])];
  const wanted = stringsOf(spec['ipFamilies']);
  const addresses = given.length === 0 && first !== '' ? [first] : given;
  const causes: Cause[] = [];
  if (first !== '' && given.length > 0 && given[0] !== first)
    causes.push(cause.invalid(field, given, 'first value must match `clusterIP`'));
  if (first === '' && given.length > 0)
    causes.push(cause.invalid(field, given, 'must be empty when `clusterIP` is not specified'));
  for (const [index, family] of wanted.entries()) {
    const inner = `spec.ipFamilies[${index}]`;
    if (!families.includes(family)) causes.push(cause.notSupported(inner, family, families));
    if (wanted.indexOf(family) < index) causes.push(cause.duplicate(inner, family));
  }
  causes.push(...policies(spec['ipFamilyPolicy'], 'spec.ipFamilyPolicy', spec, emptyScope));
  let wrong = false;
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === 'None') {
      if (addresses.length === 1) continue;
      wrong = true;
      causes.push(cause.invalid(field, addresses, "'None' must be the first and only value"));
      continue;
    }
    const faults = requiredAddress(address, `${field}[${index}]`, spec, emptyScope);
    wrong ||= faults.length > 0;
    causes.push(...faults);
  }
  if (addresses.length > 2) causes.push(cause.invalid(field, addresses, 'may only hold up to 2 values'));
  if (wrong) return causes;
  if (addresses.length > 1 && new Set(addresses.map(isIP)).size !== 2)
    causes.push(cause.invalid(field, addresses, 'may specify no more than one IP for each IP family'));
  if (addresses[0] === 'None') return causes;
  for (const [index, address] of addresses.entries()) {
    const family = wanted[index];
    if (family === undefined || family === `IPv${isIP(address)}`) continue;
    const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    causes.push(cause.invalid(`${field}[${index}]`, address, why));
  }
  return causes;
}
