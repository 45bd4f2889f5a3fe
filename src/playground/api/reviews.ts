import { decide, rulesFor, type AccessRequest } from '../access/authorize.ts';
import { ownAudience } from '../access/account-tokens.ts';
import type { Tokens } from '../access/users.ts';
import type { User } from '../access/user.ts';
import { requirement } from '../admission/rules/selector.ts';
import { timestamp } from '../kit/clock.ts';
import { recordUpdate } from '../fields/manage.ts';
import { getObject } from '../objects/objects.ts';
import { otherNamespace } from '../objects/identity.ts';
import type { World } from '../store/world.ts';
import { apiVersionOf } from '../registry/registry.ts';
import { badRequest, type Cause, cause, conflict, invalid, notFound } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { at, isRec, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { expectedOf, goKind, readObject } from './body.ts';
import { managerOf } from './manager.ts';
import { checkWriteOptions } from './options.ts';
import type { Call, Target } from './request.ts';
import type { Answer } from './respond.ts';

/** The request that a review's spec describes. */
function reviewedRequest(spec: Rec): AccessRequest {
  const attributes = rec(spec['resourceAttributes']);
  const path = at(spec, 'nonResourceAttributes', 'path');
  const text = (name: string) => str(attributes[name]);
  return {
    verb: str(at(spec, 'nonResourceAttributes', 'verb') ?? attributes['verb']),
    group: text('group'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
    ...(typeof path === 'string' ? { path } : {}),
  };
}

const joinGroups = (user: User, spec: Rec): User => ({
  name: str(spec['user'] ?? user.name),
  groups: (spec['groups'] as string[] | undefined) ?? [],
});

/** Serves reviews, whose objects are computed and never stored. Undefined for any other resource. */
export async function serveReview(
  world: World,
  tokens: Tokens,
  target: Target,
  call: Call,
): Promise<Answer | undefined> {
  const { resource } = target;
  const reviewer = reviewers[resource.storage];
  if (reviewer === undefined) return undefined;
  const { body } = await readObject(world.registry.schemas, expectedOf(resource), call);
  const now = world.clock.now();
  const spec = rec(body['spec']);
  if (reviewer === access || reviewer === accessOfOther) {
    const causes = reviewCauses(spec, reviewer === accessOfOther);
    const { namespace: _namespace, ...others } = rec(body['metadata']);
    if (Object.keys(others).length > 0) {
      const why = resource.namespaced ? 'must be empty except for namespace' : 'must be empty';
      const metadata = { ...rec(body['metadata']), ...ownership(world, target, call, body) };
      causes.push(cause.invalid('metadata', metadata, why));
    }
    const reviewedNamespace = at(spec, 'resourceAttributes', 'namespace');
    if (
      resource.namespaced &&
      spec['resourceAttributes'] !== undefined &&
      str(reviewedNamespace) !== target.namespace
    ) {
      causes.push(
        cause.invalid(
          'spec.resourceAttributes.namespace',
          str(reviewedNamespace),
          'must match metadata.namespace',
        ),
      );
    }
    if (resource.namespaced && isRec(spec['nonResourceAttributes'])) {
      const refusedAttributes = goAttributes(spec['nonResourceAttributes']);
      const why = 'disallowed on this kind of request';
      causes.push(cause.invalid('spec.nonResourceAttributes', refusedAttributes, why));
    }
    if (causes.length > 0) throw invalid(resource.group, resource.kind, '', causes);
  }
  const answer = reviewer(world, tokens, call.user, spec, target.namespace, now);
  return {
    code: 201,
    body: {
      kind: resource.kind,
      apiVersion: apiVersionOf(resource),
      metadata: {
        ...answer.metadata,
        ...(resource.namespaced ? { namespace: target.namespace } : {}),
        ...(answer.owned === true ? ownership(world, target, call, body) : {}),
      },
      ...(answer.spec === undefined ? {} : { spec: answer.spec }),
      status: answer.status,
    },
  };
}

/** Managed fields of a posted review: the server records them although it stores nothing. */
function ownership(
  world: World,
  { resource, subresource }: Target,
  call: Call,
  body: Rec,
  shape = resource.shape,
): Rec {
  if (shape === undefined) return {};
  const apiVersion = subresource?.name === 'token' ? 'authentication.k8s.io/v1' : apiVersionOf(resource);
  const object = { ...body, apiVersion, kind: '', metadata: {} as Obj['metadata'] };
  const time = timestamp(world.clock.now());
  const writer = { manager: managerOf(call), apiVersion, subresource: subresource?.name ?? '', time };
  recordUpdate(world.registry.schemas, shape, object, undefined, writer, true);
  return object.metadata;
}

type Reviewer = (
  world: World,
  tokens: Tokens,
  user: User,
  spec: Rec,
  namespace: string,
  now: number,
) => { metadata?: Rec; spec?: Rec; status: Rec; owned?: boolean };

const access: Reviewer = (world, _tokens, user, spec) => {
  const { allowed, reason } = decide(world.store, user, reviewedRequest(spec));
  return { spec, owned: true, status: { allowed, ...(reason === '' ? {} : { reason }) } };
};

/** Non-resource attributes as Go holds them. */
const goAttributes = (path: unknown) => ({ Path: str(at(path, 'path')), Verb: str(at(path, 'verb')) });

/** The causes for which the spec of an access review is refused. `others`: it is about another user. */
function reviewCauses(spec: Rec, others: boolean): Cause[] {
  const causes: Cause[] = [];
  const [resource, path] = [spec['resourceAttributes'], spec['nonResourceAttributes']];
  const one = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  if (resource !== undefined && path !== undefined) {
    const why = 'cannot be specified in combination with resourceAttributes';
    causes.push(cause.invalid('spec.nonResourceAttributes', goAttributes(path), why));
  }
  if (resource === undefined && path === undefined) {
    causes.push(cause.invalid('spec.resourceAttributes', null, one));
  }
  if (others && str(spec['user']) === '' && ((spec['groups'] as unknown[] | undefined) ?? []).length === 0) {
    causes.push(cause.invalid('spec.user', '', 'at least one of user or group must be specified'));
  }
  const attributes = rec(resource);
  causes.push(
    ...selectorCauses(attributes['fieldSelector'], 'spec.resourceAttributes.fieldSelector', fieldRequirement),
  );
  causes.push(
    ...selectorCauses(attributes['labelSelector'], 'spec.resourceAttributes.labelSelector', requirement),
  );
  return causes;
}

/** A requirement of a field selector; its key is a path that is not validated. */
function fieldRequirement(item: Rec, path: string): Cause[] {
  const keyCauses = str(item['key']) === '' ? [cause.required(`${path}.key`, 'must be specified')] : [];
  return [...keyCauses, ...requirement({ ...item, key: 'any' }, path, true)];
}

/** A selector of a review: either raw text or requirements. */
function selectorCauses(
  selector: unknown,
  path: string,
  one: (item: Rec, path: string, lenient: boolean) => Cause[],
): Cause[] {
  if (!isRec(selector)) return [];
  const [raw, parts] = [str(selector['rawSelector']), recs(selector['requirements'])];
  const causes: Cause[] = [];
  if (raw !== '' && parts.length > 0) {
    const why = 'may not specified at the same time as requirements';
    causes.push(cause.invalid(`${path}.rawSelector`, raw, why));
  }
  if (raw === '' && parts.length === 0) {
    const why = `when ${path} is specified, requirements or rawSelector is required`;
    causes.push(cause.required(`${path}.requirements`, why));
  }
  return [...causes, ...parts.flatMap((item, index) => one(item, `${path}.requirements[${index}]`, true))];
}

const accessOfOther: Reviewer = (world, tokens, user, spec, namespace, now) =>
  access(world, tokens, joinGroups(user, spec), spec, namespace, now);

const reviewers: Readonly<Record<string, Reviewer>> = {
  'authorization.k8s.io/selfsubjectaccessreviews': access,
  'authorization.k8s.io/subjectaccessreviews': accessOfOther,
  'authorization.k8s.io/localsubjectaccessreviews': accessOfOther,
  'authorization.k8s.io/selfsubjectrulesreviews': (world, _tokens, user, spec) => {
    if (str(spec['namespace']) === '') throw badRequest('no namespace on request');
    const rules = rulesFor(world.store, user, str(spec['namespace']));
    const list = (value: readonly string[] | undefined) => [...(value ?? [])];
    return {
      spec: {},
      status: {
        resourceRules: rules
          .filter((rule) => rule.nonResourceURLs === undefined)
          .map((rule) => ({
            verbs: list(rule.verbs),
            apiGroups: list(rule.apiGroups),
            resources: list(rule.resources),
            ...((rule.resourceNames ?? []).length === 0 ? {} : { resourceNames: list(rule.resourceNames) }),
          })),
        nonResourceRules: rules
          .filter((rule) => rule.nonResourceURLs !== undefined)
          .map((rule) => ({ verbs: list(rule.verbs), nonResourceURLs: list(rule.nonResourceURLs) })),
        incomplete: false,
      },
    };
  },
  'authentication.k8s.io/selfsubjectreviews': (_world, _tokens, user, _spec, _namespace, now) => ({
    metadata: { creationTimestamp: timestamp(now) },
    status: { userInfo: userInfo(user) },
  }),
  'authentication.k8s.io/tokenreviews': (_world, tokens, _user, spec, _namespace, now) => {
    if (str(spec['token']) === '') {
      throw badRequest('token is required for TokenReview in authentication');
    }
    const asked = spec['audiences'];
    const audiences = Array.isArray(asked) && asked.length > 0 ? asked.map(str) : [ownAudience];
    const met = audiences.filter((audience) => tokens.find(str(spec['token']), now, audience) !== undefined);
    const found = met[0] === undefined ? undefined : tokens.find(str(spec['token']), now, met[0]);
    return {
      spec,
      owned: true,
      status:
        found === undefined
          ? { user: {}, error: '[invalid bearer token]' }
          : { authenticated: true, user: userInfo(found), audiences: met },
    };
  },
};

function userInfo(user: User): Rec {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: [...user.groups],
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}

const bindable: Readonly<Record<string, string>> = { Pod: '/pods', Secret: '/secrets', Node: '/nodes' };

/** The object that a token is bound to. Throws 400, 404, and 409 for another uid. */
function boundObject({ store }: World, account: Obj, reference: Rec): Obj {
  const kind = str(reference['kind']);
  const name = str(reference['name']);
  const storage = reference['apiVersion'] === 'v1' ? bindable[kind] : undefined;
  if (storage === undefined) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.metadata.name)} to object of type ${goKind(str(reference['apiVersion']), kind)}`,
    );
  }
  const resource = { group: '', plural: storage.slice(1) };
  const found = store.get(storage, kind === 'Node' ? name : keyOf(account.metadata.namespace, name));
  if (found === undefined) throw notFound(resource, name);
  const uid = str(reference['uid']);
  if (uid !== '' && uid !== found.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict(resource, name, why);
  }
  if (kind === 'Pod' && at(found, 'spec', 'serviceAccountName') !== account.metadata.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.metadata.name)} to pod running with different serviceaccount name.`,
    );
  }
  return found;
}

/** Refuses a token request whose account is not that of its path. Throws 400 and 422. */
function checkAccount({ namespace, name }: Target, metadata: Rec): void {
  const [bodyNamespace, bodyName] = [str(metadata['namespace']), str(metadata['name'])];
  if (bodyNamespace !== '' && bodyNamespace !== namespace) throw otherNamespace();
  if (bodyName === '' || bodyName === name) return;
  throw invalid('authentication.k8s.io', 'TokenRequest', name, [
    cause.invalid('metadata.name', bodyName, 'must match the service account name if specified'),
  ]);
}

/** Serves a token request for a service account. */
export async function serveToken(world: World, tokens: Tokens, target: Target, call: Call): Promise<Answer> {
  const { schemas } = world.registry;
  checkWriteOptions('CreateOptions', call.query);
  const shape = schemas.ofKind('authentication.k8s.io', 'v1', 'TokenRequest');
  const expected = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', shape };
  const { body } = await readObject(schemas, expected, call);
  checkAccount(target, rec(body['metadata']));
  const account = getObject(world, target.resource, target.namespace, target.name);
  const spec = rec(body['spec']);
  const seconds = Number(spec['expirationSeconds'] ?? 3600);
  const field = 'spec.expirationSeconds';
  const bound =
    seconds < 600
      ? 'may not specify a duration less than 10 minutes'
      : seconds > 2 ** 32
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined;
  if (bound !== undefined) {
    throw invalid('authentication.k8s.io', 'TokenRequest', '', [cause.invalid(field, seconds, bound)]);
  }
  const given = spec['audiences'];
  const audiences = Array.isArray(given) && given.length > 0 ? given.map(str) : [ownAudience];
  const now = world.clock.now();
  const { name = '', namespace = '', uid = '' } = account.metadata;
  const reference = spec['boundObjectRef'];
  const holder = isRec(reference) ? boundObject(world, account, reference) : undefined;
  const token = tokens.accounts.issue({
    account,
    audiences,
    seconds,
    now,
    ...(holder === undefined ? {} : { bound: holder }),
  });
  return {
    code: 201,
    body: {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        name,
        namespace,
        uid,
        creationTimestamp: timestamp(now),
        ...ownership(world, target, call, body, shape),
      },
      spec: { audiences, expirationSeconds: seconds, boundObjectRef: reference ?? null },
      status: { token, expirationTimestamp: timestamp(now + seconds * 1000) },
    },
  };
}
