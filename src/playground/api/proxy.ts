import { answerPrometheus, servesPrometheus } from '../metrics/prometheus.ts';
import { getObject } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import type { Call, Target } from './request.ts';
import type { Answer } from './respond.ts';

/**
 * The answer of what listens behind a Service: a Prometheus does, nothing else. Undefined where nothing listens. Throws
 * 404 for a Service that there is not.
 */
export function proxied(world: World, target: Target, call: Call): Answer | undefined {
  const { resource, namespace, name, rest } = target;
  if (resource.storage !== '/services' || call.method !== 'GET') return undefined;
  const [, service = '', port = ''] = /^(?:https?:)?([^:]+)(?::([^:]+))?$/.exec(name) ?? [];
  const object = getObject(world, resource, namespace, service);
  if (!servesPrometheus(world, object, port)) return undefined;
  return answerPrometheus(world, `/${rest.join('/')}`, call.query);
}
