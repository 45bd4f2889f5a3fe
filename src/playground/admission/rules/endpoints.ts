import { type Cause, cause } from '../../kit/status.ts';
import { at, type Rec, recs, str } from '../../kit/values.ts';
import {
  emptyScope,
  type Check,
  empty,
  label,
  portNumber,
  protocol,
  qualified,
  requiredAddress,
  type RuleSet,
  subdomain,
  usualAddress,
} from './rule.ts';

const core = 'io.k8s.api.core.v1.';

function address(one: Rec, path: string): Cause[] {
  return [
    ...requiredAddress(one['ip'], `${path}.ip`, one, emptyScope),
    ...label(one['hostname'], `${path}.hostname`, one, emptyScope),
    ...subdomain(one['nodeName'], `${path}.nodeName`, one, emptyScope),
    ...usualAddress(one['ip'], `${path}.ip`, one, emptyScope),
  ];
}

function port(one: Rec, path: string, needsName: boolean): Cause[] {
  const name = str(one['name']);
  return [
    ...(needsName && name === ''
      ? [cause.required(`${path}.name`)]
      : label(name, `${path}.name`, one, emptyScope)),
    ...portNumber(one['port'] ?? 0, `${path}.port`, one, emptyScope),
    ...protocol(one['protocol'], `${path}.protocol`, one, emptyScope),
    ...qualified(one['appProtocol'], `${path}.appProtocol`, one, emptyScope),
  ];
}

const subsets: Check = (value, path) =>
  recs(value).flatMap((subset, index) => {
    const inner = `${path}[${index}]`;
    const ports = recs(subset['ports']);
    const none = empty(subset['addresses']) && empty(subset['notReadyAddresses']);
    return [
      ...(none ? [cause.required(inner, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...['addresses', 'notReadyAddresses'].flatMap((field) =>
        recs(at(subset, field)).flatMap((one, itemIndex) => address(one, `${inner}.${field}[${itemIndex}]`)),
      ),
      ...ports.flatMap((one, itemIndex) => port(one, `${inner}.ports[${itemIndex}]`, ports.length > 1)),
    ];
  });

/** Rules of endpoints. */
export const endpointRules: RuleSet = {
  [`${core}Endpoints`]: { subsets },
  [`${core}EndpointPort`]: { protocol: () => [] },
};
