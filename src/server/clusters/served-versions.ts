import { newestFirst, versionName } from '../../kube/api-versions.ts';
import { isPlainObject } from '../../kube/plain.ts';
import { ClusterProblem, type KubeRequest } from './transport.ts';
import type { Clock } from '../kit/clock.ts';

/** How long an answer about the versions of a group is believed, ms. */
const believedMs = 60_000;
const maxRemembered = 200;

const versionPath = /^\/apis\/([^/]+)\/([^/]+)\/(?:namespaces\/[^/]+\/(?=[^/]+))?([^/]+)/;

/** The resource that a request is about; undefined for one of no named API group. */
function resourceOf(path: string) {
  const [, group, version, plural] = versionPath.exec(path) ?? [];
  return group === undefined || version === undefined || plural === undefined
    ? undefined
    : { group, version, plural };
}

/** Whether an answer says that the path is unknown, not that an object is missing. */
const isUnknownPath = (error: unknown): boolean =>
  error instanceof ClusterProblem &&
  error.upstream.status === 404 &&
  error.upstream.body?.details?.name === undefined;

/** The request in another version of its API. */
function inVersion(
  request: KubeRequest,
  { group, version }: { group: string; version: string },
  other: string,
) {
  const prefix = `/apis/${group}/${version}/`;
  const { body } = request;
  const isNamed = isPlainObject(body) && body['apiVersion'] === `${group}/${version}`;
  return {
    ...request,
    path: `/apis/${group}/${other}/${request.path.slice(prefix.length)}`,
    ...(isNamed ? { body: { ...body, apiVersion: `${group}/${other}` } } : {}),
  };
}

/**
 * Asks a cluster for a resource in the newest version that it serves where it does not serve the one that the console
 * asks for: older clusters have fewer versions, newer ones drop some.
 */
export class ServedVersions {
  readonly #ask: (path: string) => Promise<unknown>;
  readonly #clock: Clock;
  /** By group, version and plural: the version to ask for instead, undefined for none. */
  readonly #known = new Map<string, { readonly version: string | undefined; readonly until: number }>();

  /** @param ask reads a path of the cluster; throws ClusterProblem */
  constructor(ask: (path: string) => Promise<unknown>, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** The request as it is to be sent, by what is known. */
  adapted(request: KubeRequest): KubeRequest {
    const resource = resourceOf(request.path);
    if (resource === undefined || this.#known.size === 0) return request;
    const known = this.#known.get(keyOf(resource));
    return known?.version === undefined || known.until <= this.#clock.now()
      ? request
      : inVersion(request, resource, known.version);
  }

  /** The request in the version that the cluster serves, after it failed; undefined if no other version helps. */
  async instead(request: KubeRequest, error: unknown): Promise<KubeRequest | undefined> {
    const resource = resourceOf(request.path);
    if (resource === undefined || request.isProxied === true || !isUnknownPath(error)) return undefined;
    const key = keyOf(resource);
    let known = this.#known.get(key);
    if (known === undefined || known.until <= this.#clock.now()) {
      known = { version: await this.#otherVersion(resource), until: this.#clock.now() + believedMs };
      if (this.#known.size >= maxRemembered) this.#known.clear();
      this.#known.set(key, known);
    }
    return known.version === undefined ? undefined : inVersion(request, resource, known.version);
  }

  async #otherVersion({ group, version, plural }: NonNullable<ReturnType<typeof resourceOf>>) {
    for (const one of newestFirst(versionsIn(await this.#read(`/apis/${group}`)))) {
      if (one === version) continue;
      if (pluralsIn(await this.#read(`/apis/${group}/${one}`)).includes(plural)) return one;
    }
    return undefined;
  }

  async #read(path: string): Promise<unknown> {
    try {
      return await this.#ask(path);
    } catch (error) {
      if (error instanceof ClusterProblem) return undefined;
      throw error;
    }
  }
}

const keyOf = ({ group, version, plural }: { group: string; version: string; plural: string }) =>
  `${group}/${version}/${plural}`;

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = isPlainObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
};

const textsIn = (value: unknown, list: string, field: string, allowed: RegExp): string[] =>
  listIn(value, list).flatMap((one) => {
    const text = isPlainObject(one) ? one[field] : undefined;
    return typeof text === 'string' && allowed.test(text) ? [text] : [];
  });

const versionsIn = (group: unknown) => textsIn(group, 'versions', 'version', versionName);
const pluralsIn = (resources: unknown) => textsIn(resources, 'resources', 'name', /^[a-z0-9-]+$/);
