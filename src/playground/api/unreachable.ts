import { getObject } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import { badRequest, StatusError } from '../kit/status.ts';
import { at, recs, str } from '../kit/values.ts';
import { chooseContainer } from './log.ts';
import type { Call, Target } from './request.ts';

const serviceUnavailable = (message: string) => new StatusError(503, 'ServiceUnavailable', message);

/**
 * The refusal of a request that a cluster would proxy to a pod, service or node: nothing listens behind them
 * here, and exec needs an upgraded connection. Throws 404.
 */
export function unreachable(world: World, target: Target, call: Call): StatusError {
  const { resource, namespace, name, subresource } = target;
  if (subresource?.name === 'proxy') {
    const [, targetName = name] = /^(?:https?:)?([^:]+)/.exec(name) ?? [];
    const object = getObject(world, resource, namespace, targetName);
    if (resource.storage === '/services') {
      return serviceUnavailable(`no endpoints available for service ${JSON.stringify(targetName)}`);
    }
    const address = str(
      at(object, 'status', 'podIP') ?? recs(at(object, 'status', 'addresses'))[0]?.['address'],
    );
    return serviceUnavailable(
      `error trying to reach service: dial tcp ${address}: connect: connection refused`,
    );
  }
  const pod = getObject(world, resource, namespace, name);
  if (subresource?.name !== 'portforward') chooseContainer(pod, call.query.get('container'));
  const node = at(pod, 'spec', 'nodeName');
  return typeof node === 'string' && node !== ''
    ? badRequest('Upgrade request required')
    : badRequest(`pod ${name} does not have a host assigned`);
}
