import { decide, refusal, type AccessRequest } from '../access/authorize.ts';
import { flowHeaders } from '../access/flow.ts';
import { impersonate } from '../access/impersonate.ts';
import { openidConfiguration } from '../access/account-tokens.ts';
import { anonymous, type Tokens } from '../access/users.ts';
import type { User } from '../access/user.ts';
import { measured, measuredOne } from '../metrics/serve.ts';
import { hashOf, openapiDocument, openapiIndex } from '../openapi/serve.ts';
import { getObject } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import type { Resource } from '../registry/registry.ts';
import type { Obj } from '../kit/values.ts';
import { forbidden, methodNotAllowed, noSuchResource, StatusError, unauthorized } from '../kit/status.ts';
import { aggregated, coreVersions, groupList, oneGroup, resourceList } from './discovery.ts';
import { healthAnswer } from './health.ts';
import { checkReached, computedPage, listJson, listPage, readVersion } from './list.ts';
import { serveLog } from './log.ts';
import { patch } from './patch.ts';
import { serveBinding, serveEviction } from './pods.ts';
import { goPackage } from './body.ts';
import { checkTableOptions, flag } from './options.ts';
import { type Call, route, type Target } from './request.ts';
import { type Answer, type Form, negotiate, type Reply, send, sendError } from './respond.ts';
import { serveReview, serveToken } from './reviews.ts';
import { serveScale } from './scale.ts';
import { unreachable } from './unreachable.ts';
import { partialObject, tableEvent, tableOptions, tablePage } from '../tables/table.ts';
import { proxied } from './proxy.ts';
import { resourceWarnings } from './warnings.ts';
import { serveWatch } from './watch.ts';
import { create, remove, removeCollection, update } from './write.ts';

/** Dependencies of the API besides the world. */
export interface Api {
  readonly world: World;
  readonly tokens: Tokens;
  /** host:port as clients reach it. */
  readonly address: () => string;
  /** Functions that end the open streams; called when the server stops. */
  readonly streams: Set<() => void>;
}

const notFoundText: Answer = {
  code: 404,
  text: '404 page not found\n',
  headers: { 'x-content-type-options': 'nosniff' },
};

/** Answers one request; every failure becomes a Status. */
export async function serve(api: Api, call: Omit<Call, 'user'>, reply: Reply): Promise<void> {
  const asAnonymous: Call = { ...call, user: anonymous };
  try {
    const user = actor(api, call);
    await dispatch(api, { ...call, user }, reply);
  } catch (error) {
    const status =
      error instanceof StatusError
        ? error
        : new StatusError(500, 'InternalError', `Internal error occurred: ${String(error)}`, {
            causes: [{ message: String(error) }],
          });
    if (reply.headersSent) reply.end();
    else await sendError(asAnonymous, reply, status);
  }
}

/**
 * Authenticates and authorizes a request to exec into or attach to a container. Besides the verb of the method,
 * an upgrade needs `create`. Throws StatusError.
 */
export function admitUpgrade(api: Api, call: Omit<Call, 'user'>): { target: Target; call: Call } {
  const user = actor(api, call);
  const target = route(api.world.registry, call.path);
  if (target === undefined || target === 'missing') throw noSuchResource();
  const userCall: Call = { ...call, user };
  const verb = verbOf(userCall, target);
  if (verb === undefined || target.subresource?.verbs.includes(verb) !== true) throw methodNotAllowed();
  authorize(api, userCall, target, attributesOf(userCall, target, verb));
  if (verb !== 'create') authorize(api, userCall, target, attributesOf(userCall, target, 'create'));
  return { target, call: userCall };
}

/** The user that a request is made as: its sender, or somebody whom the sender may be for it. */
function actor(api: Api, call: Omit<Call, 'user'>): User {
  const { registry, store } = api.world;
  const { headers, path } = call;
  return impersonate(store, authenticate(api, call), headers, path, () => {
    const asked: Call = { ...call, user: anonymous };
    const target = route(registry, path);
    return target === undefined || target === 'missing'
      ? pathRequest(call)
      : attributesOf(asked, target, verbOf(asked, target) ?? '');
  });
}

/** The user of a request: 401 for an unknown token, anonymous without one. */
function authenticate({ tokens, world }: Api, call: Omit<Call, 'user'>): User {
  const [scheme = '', token = ''] = (call.headers.authorization ?? '').trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === '') return anonymous;
  const user = tokens.find(token, world.clock.now());
  if (user === undefined) throw unauthorized();
  return user;
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
  GET: 'get',
  HEAD: 'get',
};

/** The verb of a request to a resource; undefined for an unsupported method. */
function verbOf(call: Call, target: Target): string | undefined {
  const verb = verbs[call.method];
  if (verb === undefined || target.subresource !== undefined) return verb;
  if (verb === 'get') {
    if (target.watching === true) return 'watch';
    if (target.name !== '') return 'get';
    return isWatch(call) ? 'watch' : 'list';
  }
  return verb === 'delete' && target.name === '' ? 'deletecollection' : verb;
}

const isWatch = (call: Call) => flag(call.query, 'watch');

async function dispatch(api: Api, sent: Call, reply: Reply): Promise<void> {
  const { registry, store } = api.world;
  const { path } = sent;
  const target = route(registry, path);
  if (target === undefined || target === 'missing') {
    const request = pathRequest(sent);
    const call = { ...sent, flow: flowHeaders(store, sent.user, request) };
    const decision = decide(store, call.user, request);
    if (!decision.allowed) {
      throw new StatusError(
        403,
        'Forbidden',
        `forbidden: ${because(refusal(call.user, request), decision.reason)}`,
        {},
      );
    }
    if (target === 'missing') throw noSuchResource();
    await send(call, reply, await answerNonResource(api, call));
    return;
  }
  const verb = verbOf(sent, target);
  const offered = target.subresource === undefined ? target.resource.verbs : target.subresource.verbs;
  const wish = attributesOf(sent, target, verb ?? '');
  const call = {
    ...sent,
    warnings: resourceWarnings(target.resource),
    flow: flowHeaders(store, sent.user, wish),
  };
  if (verb !== undefined) authorize(api, call, target, wish);
  if (verb === undefined || !offered.includes(verb)) throw methodNotAllowed();
  if (verb === 'create' && target.name !== '' && target.subresource === undefined) throw methodNotAllowed();
  // Requests across all namespaces are read-only.
  const acrossNamespaces = target.resource.namespaced && target.namespace === '' && target.name === '';
  if (acrossNamespaces && verb !== 'list' && verb !== 'watch') {
    throw target.resource.custom === undefined ? methodNotAllowed() : noSuchResource();
  }
  if ((verb === 'update' || verb === 'patch') && target.name === '') throw methodNotAllowed();
  await serveResource(api, target, verb, call, reply);
}

/** The attributes of a request for a path outside the resources. */
const pathRequest = ({ method, path }: Pick<Call, 'method' | 'path'>): AccessRequest => ({
  verb: verbs[method] ?? '',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path,
});

/** The attributes of a request that RBAC rules are matched against. */
function attributesOf(call: Call, target: Target, verb: string): AccessRequest {
  return {
    verb,
    group: target.resource.group,
    resource: target.resource.plural,
    subresource: target.subresource?.name ?? '',
    namespace:
      target.namespace === '' && target.resource.storage === '/namespaces' ? target.name : target.namespace,
    name: target.name === '' ? selectedName(call, verb) : target.name,
  };
}

function authorize(api: Api, call: Call, target: Target, request: AccessRequest): void {
  const decision = decide(api.world.store, call.user, request);
  if (decision.allowed) return;
  throw forbidden(target.resource, request.name, because(refusal(call.user, request), decision.reason));
}

const because = (refused: string, reason: string) => (reason === '' ? refused : `${refused}: ${reason}`);

const NAME_SELECTOR = /^metadata\.name={1,2}([^,=!]+)$/;

/** The object name in the field selector of a list, watch or deleteCollection; '' for none. */
function selectedName(call: Call, verb: string): string {
  if (verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') return '';
  return NAME_SELECTOR.exec(call.query.get('fieldSelector') ?? '')?.[1] ?? '';
}

async function serveResource(
  api: Api,
  target: Target,
  verb: string,
  call: Call,
  reply: Reply,
): Promise<void> {
  const { world } = api;
  const { resource, namespace, name, subresource } = target;
  const form = negotiate(call.headers.accept, { custom: resource.custom !== undefined, verb });
  if (subresource !== undefined && subresource.name !== 'status') {
    if (subresource.name === 'log') {
      await serveLog(world, target, call, reply, api.streams);
      return;
    }
    const answer = await serveSubresource(api, target, call);
    await send(call, reply, answer);
    return;
  }
  switch (verb) {
    case 'watch':
      serveWatch(world, resource, namespace, name, call, form, reply, api.streams);
      return;
    case 'list': {
      const page =
        resource.computed === true
          ? computedPage(measured(world, resource, namespace), resource, namespace, call.query)
          : listPage(world.store, resource, namespace, call.query);
      if (form.as === 'PartialObjectMetadata') throw formMismatch(resource, form.as, true);
      if (form.as === 'Table') {
        checkTableOptions(call.query);
        await send(call, reply, {
          code: 200,
          body: tablePage(resource, page, tableOptions(call.query, form.version, world.clock.now())),
        });
      } else if (form.as === 'object') await send(call, reply, { code: 200, json: listJson(resource, page) });
      else {
        const items = page.items.map((item) => partialObject(item, form.version));
        const kind = 'PartialObjectMetadataList';
        const body = { kind, apiVersion: `meta.k8s.io/${form.version}`, metadata: page.metadata, items };
        await send(call, reply, { code: 200, body });
      }
      return;
    }
    case 'get': {
      checkReached(world.store, readVersion(call.query.get('resourceVersion')));
      const object =
        resource.computed === true
          ? measuredOne(world, resource, namespace, name)
          : getObject(world, resource, namespace, name);
      await send(call, reply, shaped(world, target, call, form, { code: 200, body: object }));
      return;
    }
    case 'create': {
      if (resource.storage === '/bindings') {
        await send(call, reply, await serveBinding(world, target, call));
        return;
      }
      const review = await serveReview(world, api.tokens, target, call);
      await send(call, reply, review ?? shaped(world, target, call, form, await create(world, target, call)));
      return;
    }
    case 'update':
      await send(call, reply, shaped(world, target, call, form, await update(world, target, call)));
      return;
    case 'patch':
      await send(call, reply, shaped(world, target, call, form, await patch(world, target, call)));
      return;
    case 'delete':
      await send(call, reply, await remove(world, target, call));
      return;
    case 'deletecollection':
      await send(call, reply, await removeCollection(world, target, call));
      return;
    default:
      throw methodNotAllowed();
  }
}

/** Converts the answer of a write to the form that the client accepts. */
function shaped(world: World, { resource }: Target, call: Call, form: Form, answer: Answer): Answer {
  const object = answer.body as Obj | undefined;
  if (form.as === 'object' || object === undefined) return answer;
  if (form.as === 'PartialObjectMetadataList') throw formMismatch(resource, form.as, false);
  if (form.as === 'Table') checkTableOptions(call.query);
  const body =
    form.as === 'Table'
      ? tableEvent(resource, object, true, tableOptions(call.query, form.version, world.clock.now()))
      : partialObject(object, form.version);
  return { ...answer, body };
}

/** The refusal to convert a list to a single-object form or the reverse. */
function formMismatch(
  { custom, group, kind }: Target['resource'],
  wanted: string,
  isList: boolean,
): StatusError {
  const list = isList ? 'List' : '';
  const type =
    custom === undefined ? `${goPackage(group)}.${kind}${list}` : `unstructured.Unstructured${list}`;
  const kindText = isList ? 'a list' : 'not a list';
  const why = `you requested ${wanted}, but the requested object is ${kindText} (*${type})`;
  return new StatusError(406, 'NotAcceptable', why);
}

async function serveSubresource(api: Api, target: Target, call: Call): Promise<Answer> {
  const { world } = api;
  const name = target.subresource?.name ?? '';
  switch (name) {
    case 'scale':
      return await serveScale(world, target, call);
    case 'binding':
      return await serveBinding(world, target, call);
    case 'eviction':
      return await serveEviction(world, target, call);
    case 'token':
      return await serveToken(world, api.tokens, target, call);
    case 'finalize':
    case 'approval':
    case 'ephemeralcontainers':
    case 'resize':
      if (call.method === 'GET') {
        return { code: 200, body: getObject(world, target.resource, target.namespace, target.name) };
      }
      return call.method === 'PUT' ? await update(world, target, call) : await patch(world, target, call);
    case 'proxy':
      return proxied(world, target, call) ?? refuse(unreachable(world, target, call));
    default:
      throw unreachable(world, target, call);
  }
}

function refuse(error: StatusError): never {
  throw error;
}

const hasBuiltIn = ({ resources }: { resources: readonly Resource[] }) =>
  resources.some(({ custom }) => custom === undefined);

/** Answers paths outside the resources: version, discovery, health, OpenAPI. */
async function answerNonResource({ world, address, tokens }: Api, call: Call): Promise<Answer> {
  const { registry } = world;
  const path = call.path.length > 1 && call.path.endsWith('/') ? call.path.slice(0, -1) : call.path;
  if (call.method !== 'GET' && call.method !== 'HEAD') throw methodNotAllowed();
  const healthy = healthAnswer(call, path);
  if (healthy !== undefined) return healthy;
  if (path === '/openapi/v2') {
    const { swagger } = await import('../openapi/swagger.ts');
    const { swaggerAsProtobuf, swaggerProtobuf } = await import('../openapi/swagger-protobuf.ts');
    if (call.headers.accept?.includes(swaggerProtobuf.asked) !== true)
      return { code: 200, json: swagger(registry), tagged: true };
    const bytes = swaggerAsProtobuf(swagger(registry));
    return { code: 200, bytes, contentType: swaggerProtobuf.sent, tagged: true };
  }
  if (path === '/openapi/v3') {
    return { code: 200, text: openapiIndex(registry), tagged: true };
  }
  if (path.startsWith('/openapi/v3/')) {
    const name = path.slice('/openapi/v3/'.length);
    const document = openapiDocument(registry, name);
    if (document === undefined) return notFoundText;
    const requestedHash = call.query.get('hash') ?? '';
    const hash = hashOf(registry, name);
    if (requestedHash === '') return { code: 200, body: document, tagged: true };
    const location = `/openapi/v3/${name}?hash=${hash}`;
    if (requestedHash !== hash) return { code: 301, text: '', headers: { location } };
    // The hash in the address identifies the content, so clients may cache it for a year.
    const expires = new Date(world.clock.now() + 365 * 24 * 3_600_000).toUTCString();
    const headers = { 'cache-control': 'public, immutable', expires };
    return { code: 200, body: document, tagged: true, headers };
  }
  if (path === '/openid/v1/jwks') {
    return { code: 200, body: tokens.accounts.keys(), contentType: 'application/jwk-set+json' };
  }
  if (path === '/.well-known/openid-configuration') {
    return { code: 200, body: openidConfiguration(address()) };
  }
  if (path === '/version') return { code: 200, body: registry.version };
  const form = path === '/api' || path === '/apis' ? negotiate(call.headers.accept) : undefined;
  if (form?.as === 'APIGroupDiscoveryList') {
    const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    return { code: 200, body: aggregated(registry, path === '/api'), contentType, tagged: true };
  }
  if (path === '/api') return { code: 200, body: coreVersions(address()) };
  if (path === '/apis') return { code: 200, body: groupList(registry) };
  const [, root, first, second, ...rest] = path.split('/');
  if (rest.length > 0 || first === undefined) return notFoundText;
  const body =
    root === 'api' && second === undefined
      ? resourceList(registry, '', first)
      : root === 'apis'
        ? second === undefined
          ? oneGroup(registry, first)
          : resourceList(registry, first, second)
        : undefined;
  if (body === undefined) return notFoundText;
  // Groups of custom resources are served without checking the Accept header.
  const groups = registry.groups.filter(({ name }) => name === (root === 'api' ? '' : first));
  const isBuiltIn = groups.some(({ versions }) => versions.some(hasBuiltIn));
  if (isBuiltIn) negotiate(call.headers.accept);
  return { code: 200, body };
}
