import { kubeconfigLimit } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import { cleanText } from '../../kube/text.ts';
import { readCertificates } from './certificates.ts';
import {
  type FieldReader,
  flatten,
  isMapping,
  type Origin,
  readFields,
  shownName,
} from './kubeconfig-fields.ts';
import { readUser } from './kubeconfig-user.ts';
import { parseStrictYaml } from './strict-yaml.ts';
import type { Target } from './target.ts';

/** One context of a kubeconfig: either it can be used (`target`), or sentences say why not. */
export interface ParsedContext {
  readonly name: string;
  readonly cluster: string;
  /** URL of the API server; empty where it cannot be shown. */
  readonly server: string;
  readonly namespace: string | undefined;
  readonly isCurrent: boolean;
  /** The type and owner of the credential, for people; never the credential itself. */
  readonly credential: string;
  readonly expiresAt: Date | undefined;
  /** Undefined exactly when there are problems. */
  readonly target: Target | undefined;
  readonly problems: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly value: Record<string, unknown>;
}

const kubeconfigLabel = 'The kubeconfig';
/** Longest URL of an API server, in characters. */
const maxServerLength = 2_048;

/**
 * Reads a kubeconfig by an allow-list of fields: a field that is not on it keeps its context from being used,
 * and the context's `problems` say what to do instead. Judges neither addresses nor expiry.
 * @throws Problem 400 or 413 when the file as a whole cannot be read
 */
export function parseKubeconfig(text: string, origin: Origin = { kind: 'pasted' }): readonly ParsedContext[] {
  const root = parseStrictYaml(text, kubeconfigLimit, kubeconfigLabel);
  if (!isMapping(root))
    throw new Problem({
      status: 400,
      title: 'That is not a kubeconfig: it has no clusters, users and contexts.',
    });
  const refusals: string[] = [];
  const fields = readFields(root, '', refusals);
  const kind = fields.text('kind');
  const apiVersion = fields.text('apiVersion');
  if (kind !== undefined && kind !== 'Config') {
    throw unreadable(`is of kind ${shownName(kind)}, not Config.`);
  }
  if (apiVersion !== undefined && apiVersion !== 'v1') throw unreadable('has an apiVersion other than v1.');
  const clusters = entries(fields, 'clusters', 'cluster');
  const users = entries(fields, 'users', 'user');
  const contexts = entries(fields, 'contexts', 'context');
  const current = fields.text('current-context');
  fields.ignore('preferences');
  fields.ignore('extensions');
  fields.refuseRest();
  if (refusals.length > 0) throw unreadable(`cannot be used: ${refusals.join(' ')}`);
  if (contexts.size === 0) throw unreadable('has no contexts.');
  return [...contexts.values()].map((context) => readContext(context, clusters, users, current, origin));
}

function unreadable(reason: string): Problem {
  return new Problem({ status: 400, title: `${kubeconfigLabel} ${reason}` });
}

function entries(fields: FieldReader, list: string, inner: string): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  for (const item of fields.list(list) ?? []) {
    if (!isMapping(item)) throw unreadable(`has an entry in ${list} that is no mapping.`);
    const refusals: string[] = [];
    const reader = readFields(item, `an entry in ${list}: `, refusals);
    const name = reader.text('name');
    const value = item[inner] ?? {};
    reader.ignore(inner);
    reader.refuseRest();
    if (name === undefined) throw unreadable(`has an entry without a name in ${list}.`);
    if (name.length > 253 || cleanText(name) !== name) {
      throw unreadable(`has a name in ${list} with control characters or more than 253 characters.`);
    }
    if (refusals.length > 0) throw unreadable(`cannot be used: ${refusals.join(' ')}`);
    if (!isMapping(value)) throw unreadable(`has an entry in ${list} whose ${inner} is no mapping.`);
    if (found.has(name)) throw unreadable(`has two entries named "${shownName(name)}" in ${list}.`);
    found.set(name, { name, value });
  }
  return found;
}

function readContext(
  context: Entry,
  clusters: ReadonlyMap<string, Entry>,
  users: ReadonlyMap<string, Entry>,
  current: string | undefined,
  origin: Origin,
): ParsedContext {
  const contextRefusals: string[] = [];
  const fields = readFields(context.value, '', contextRefusals);
  const clusterName = fields.text('cluster');
  const userName = fields.text('user');
  const namespace = fields.text('namespace');
  fields.ignore('extensions');
  fields.refuseRest();
  const cluster = clusterName === undefined ? undefined : clusters.get(clusterName);
  const user = userName === undefined ? undefined : users.get(userName);
  if (cluster === undefined) fields.refuse('the context names no cluster of this file.');
  if (user === undefined) fields.refuse('the context names no user of this file.');

  const clusterRefusals: string[] = [];
  const readServer =
    cluster &&
    readCluster(readFields(cluster.value, `Cluster "${shownName(cluster.name)}": `, clusterRefusals), origin);
  const userRefusals: string[] = [];
  const readCredential =
    user && readUser(readFields(user.value, `User "${shownName(user.name)}": `, userRefusals), origin);

  const problems = [...contextRefusals, ...clusterRefusals, ...userRefusals];
  const server = readServer?.server;
  return {
    name: context.name,
    cluster: shownName(clusterName ?? ''),
    server: server ?? '',
    namespace: namespace === undefined ? undefined : shownName(namespace),
    isCurrent: context.name === current,
    credential: shownName(readCredential?.description ?? ''),
    expiresAt: readCredential?.expiresAt,
    target:
      problems.length > 0 || readServer === undefined || server === undefined || readCredential === undefined
        ? undefined
        : {
            ...readServer,
            server,
            namespace,
            credential: readCredential.credential,
            impersonate: readCredential.impersonate,
          },
    problems,
  };
}

function readCluster(fields: FieldReader, origin: Origin) {
  const server = readServer(fields);
  const pem = fields.pem('certificate-authority-data', 'certificate-authority', origin);
  const authorities = pem === undefined ? undefined : readCertificates(pem);
  if (pem !== undefined && authorities === undefined) {
    fields.refuse(`certificate-authority-data holds no certificate in PEM. ${flatten}`);
  }
  const tlsServerName = fields.text('tls-server-name');
  if (tlsServerName !== undefined && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(tlsServerName)) {
    fields.refuse('tls-server-name is not a host name.');
  }
  if (fields.flag('insecure-skip-tls-verify') === true) {
    fields.refuse(
      'insecure-skip-tls-verify would send the credential to any server that answers. ' +
        'Remove it and add certificate-authority-data.',
    );
  }
  if (fields.text('proxy-url') !== undefined) {
    fields.refuse(
      "proxy-url is not accepted: the console dials the API server itself. Use an address that is reachable from the console's server.",
    );
  }
  const disableCompression = fields.flag('disable-compression') ?? false;
  fields.ignore('extensions');
  fields.refuseRest();
  return { server, ca: authorities?.pem, tlsServerName, disableCompression };
}

function readServer(fields: FieldReader): string | undefined {
  const text = fields.text('server');
  if (text === undefined) {
    fields.refuse('server is missing.');
    return undefined;
  }
  if (text.length > maxServerLength) {
    fields.refuse(`server is longer than ${maxServerLength.toLocaleString('en')} characters.`);
    return undefined;
  }
  // The URL itself is not quoted: it may carry a password.
  const url = URL.parse(text);
  if (url === null) {
    fields.refuse('server is not a URL such as https://cluster.example.org:6443.');
    return undefined;
  }
  if (url.protocol !== 'https:') {
    fields.refuse(
      'server must begin with https:// – over plain http anybody on the way could read the credential.',
    );
    return undefined;
  }
  if (url.username !== '' || url.password !== '') {
    fields.refuse('server must not contain a user name or password.');
    return undefined;
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    fields.refuse('server must not contain a query or fragment.');
    return undefined;
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * The context to use: the named one, else the file's current one, else the only one.
 * @throws Problem 400 when that is none
 */
export function chooseContext(contexts: readonly ParsedContext[], name: string | undefined): ParsedContext {
  const only = contexts.length === 1 ? contexts[0] : undefined;
  const chosen =
    name === undefined
      ? (contexts.find((context) => context.isCurrent) ?? only)
      : contexts.find((context) => context.name === name);
  if (chosen !== undefined) return chosen;
  throw unreadable(
    name === undefined
      ? `has ${contexts.length} contexts and none is the current one. Choose one of them.`
      : `has no context "${shownName(name)}".`,
  );
}
