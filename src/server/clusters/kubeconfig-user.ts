import { isAbsolute, resolve } from 'node:path';
import { commonName, keyProblem, readCertificates, readToken } from './certificates.ts';
import { readExecPlugin } from './exec-config.ts';
import { type FieldReader, flatten, type Origin } from './kubeconfig-fields.ts';
import type { Credential, Impersonation } from './target.ts';

/** The result of reading a user entry of a kubeconfig. */
export interface ReadUser {
  readonly credential: Credential;
  readonly impersonate: Impersonation | undefined;
  /** For people: what kind of credential and whose. */
  readonly description: string;
  /** When the first part of it ends. */
  readonly expiresAt: Date | undefined;
}

const printable = /^[\x20-\x7e]+$/;

/** Reads one user entry; `fields` refuses every field that is not on the list of known ones. */
export function readUser(fields: FieldReader, origin: Origin): ReadUser {
  const token = readBearerToken(fields);
  const pair = readPair(fields, origin);
  const operator = readOperatorFields(fields, origin);
  const impersonate = readImpersonation(fields);
  fields.ignore('extensions');
  refuseUserFields(fields, origin);
  fields.refuseRest();

  const claims = token === undefined ? {} : readToken(token);
  const ends = [pair?.first.validToDate, claims.expiresAt].filter((end) => end !== undefined);
  const credential: Credential = {
    token,
    certificate: pair?.pem,
    key: pair?.key,
    tokenFile: operator.tokenFile,
    exec: operator.exec,
  };
  const parts = [
    pair && quotedName('Client certificate', commonName(pair.first)),
    token && quotedName('Token', claims.subject ?? ''),
    operator.tokenFile && 'Token file',
    operator.exec && quotedName('Program', operator.exec.command),
  ].filter((part) => part !== undefined && part !== '');
  if (parts.length === 0 && !fields.hasRefused()) {
    fields.refuse(
      'there is no credential: a token, or client-certificate-data with client-key-data, is needed.',
    );
  }
  return {
    credential,
    impersonate,
    description: `${parts.join(' and ')}${impersonate === undefined ? '' : `, acting as ${impersonate.user}`}`,
    expiresAt: ends.length === 0 ? undefined : new Date(Math.min(...ends.map((end) => end.getTime()))),
  };
}

function quotedName(what: string, who: string): string {
  return who === '' ? what : `${what} of ${who}`;
}

function readBearerToken(fields: FieldReader): string | undefined {
  const token = fields.lines('token');
  if (token === undefined) return undefined;
  if (/[\r\n\0]/.test(token)) {
    fields.refuse('token has a line break or NUL in it. Paste it as one line.');
    return undefined;
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    fields.refuse('token has characters that are not allowed in a token.');
    return undefined;
  }
  return token;
}

function readPair(fields: FieldReader, origin: Origin) {
  const certificate = fields.pem('client-certificate-data', 'client-certificate', origin);
  const key = fields.pem('client-key-data', 'client-key', origin);
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    if (!fields.hasRefused()) {
      fields.refuse('client-certificate-data and client-key-data are needed together; one is missing.');
    }
    return undefined;
  }
  const read = readCertificates(certificate);
  if (read === undefined) {
    fields.refuse(`client-certificate-data is not a certificate in PEM. ${flatten}`);
    return undefined;
  }
  const problem = keyProblem(read.first, key);
  if (problem !== undefined) {
    fields.refuse(`client-key-data ${problem}.`);
    return undefined;
  }
  return { ...read, key };
}

/** The fields that reach into the server itself. */
function readOperatorFields(fields: FieldReader, origin: Origin): Pick<Credential, 'tokenFile' | 'exec'> {
  if (origin.kind === 'pasted') return {};
  const { directory } = origin;
  const file = fields.text('tokenFile');
  const exec = fields.mapping('exec');
  return {
    tokenFile: file === undefined ? undefined : isAbsolute(file) ? file : resolve(directory, file),
    exec: exec === undefined ? undefined : readExecPlugin(exec, directory),
  };
}

function readImpersonation(fields: FieldReader): Impersonation | undefined {
  const user = fields.lines('as');
  const uid = fields.lines('as-uid');
  const groups = fields.texts('as-groups') ?? [];
  const extraFields = fields.mapping('as-user-extra');
  const extra: Record<string, readonly string[]> = {};
  for (const key of extraFields?.names() ?? []) extra[key] = extraFields?.texts(key) ?? [];
  const all = [user, uid, ...groups, ...Object.values(extra).flat()].filter((value) => value !== undefined);
  if (all.some((value) => !printable.test(value))) {
    fields.refuse('as, as-uid, as-groups and as-user-extra take printable ASCII only.');
    return undefined;
  }
  if (user !== undefined) return { user, uid, groups, extra };
  if (all.length > 0) fields.refuse('as-uid, as-groups and as-user-extra need as.');
  return undefined;
}

const clouds: readonly (readonly [RegExp, string])[] = [
  [/(^|[\\/])aws(-iam-authenticator)?(\.exe)?$|eks/i, 'EKS'],
  [/gke|gcloud/i, 'GKE'],
  [/kubelogin|azure|aks/i, 'AKS'],
];

const recipe =
  'Give the console a service account instead: kubectl -n kube-system create serviceaccount wheelhouse; ' +
  'kubectl create clusterrolebinding wheelhouse --clusterrole=cluster-admin --serviceaccount=kube-system:wheelhouse; ' +
  'kubectl -n kube-system create token wheelhouse --duration=8760h; and write what it prints as the user\'s "token". ' +
  'Or the operator starts the console with npm start -- --kubeconfig FILE.';

function refuseUserFields(fields: FieldReader, origin: Origin): void {
  if (origin.kind === 'pasted' && fields.has('exec')) {
    const command = fields.mapping('exec')?.raw('command');
    const cloud = clouds.find(([pattern]) => typeof command === 'string' && pattern.test(command))?.[1];
    const whose = cloud === undefined ? '' : `, the way ${cloud} signs in,`;
    fields.refuse(`exec${whose} would run a program on the console's server. ${recipe}`);
  }
  if (fields.has('auth-provider')) {
    fields.ignore('auth-provider');
    fields.refuse(`auth-provider is a plug-in that Kubernetes itself removed. ${recipe}`);
  }
  if (origin.kind === 'pasted' && fields.has('tokenFile')) {
    fields.ignore('tokenFile');
    fields.refuse('tokenFile would read a file of the console\'s server. Write the token itself as "token".');
  }
  if (fields.has('username') || fields.has('password')) {
    fields.ignore('username');
    fields.ignore('password');
    fields.refuse(`username and password (basic authentication) ended with Kubernetes 1.19. ${recipe}`);
  }
}
