import type { SpanAttributes, Tracer } from '../kit/tracer.ts';
import { askingPerson } from './on-behalf.ts';
import { ClusterProblem, type KubeRequest } from './transport.ts';

/** What a request to an API server asks for, without names. */
interface KubeCall {
  readonly verb: string;
  /** Plural of the kind with its subresource, as `pods/log`; the first part of any other path, as `openapi`. */
  readonly resource: string;
}

const changes = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** Reads the verb and the resource of a request, as RBAC has them. Names and namespaces are left out. */
export function kubeCallOf({ method = 'GET', path, query }: KubeRequest): KubeCall {
  const parts = path.split('/').slice(1);
  const rest = parts[0] === 'api' ? parts.slice(2) : parts[0] === 'apis' ? parts.slice(3) : undefined;
  if (rest === undefined || rest.length === 0)
    return { verb: method === 'GET' ? 'get' : changes[method], resource: parts[0] ?? '' };
  const [plural = '', name, subresource] =
    rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status' && rest[2] !== 'finalize'
      ? rest.slice(2)
      : rest;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  if (method !== 'GET') {
    const isWhole = method === 'DELETE' && name === undefined;
    return { verb: isWhole ? 'deletecollection' : changes[method], resource };
  }
  const isWatch = query?.['watch'] === true || query?.['watch'] === 'true' || query?.['watch'] === 1;
  return { verb: isWatch ? 'watch' : name === undefined ? 'list' : 'get', resource };
}

/** Sends a request as a span: its verb, its resource, the cluster's id, the person's id and the status. */
export async function tracedRequest<T>(
  tracer: Tracer | undefined,
  { clusterId, request }: { readonly clusterId: number; readonly request: KubeRequest },
  send: () => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return await send();
  const { verb, resource } = kubeCallOf(request);
  const person = askingPerson();
  const span = tracer.begin(`${verb} ${resource}`, 'client', {
    'k8s.verb': verb,
    'k8s.resource': resource,
    'http.request.method': request.method ?? 'GET',
    'wheelhouse.cluster.id': clusterId,
    ...(person === undefined ? {} : { 'wheelhouse.user.id': person }),
  });
  try {
    const answer = await send();
    span.end({}, false);
    return answer;
  } catch (error) {
    span.end(failureOf(error), true);
    throw error;
  }
}

/** How a request failed: the status of the cluster, or that there was none. Messages quote names and values. */
function failureOf(error: unknown): SpanAttributes {
  const status = error instanceof ClusterProblem ? error.upstream.status : undefined;
  return status === undefined
    ? { 'error.type': 'no answer' }
    : { 'http.response.status_code': status, 'error.type': String(status) };
}
