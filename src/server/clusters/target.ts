/** A program that prints a credential (client.authentication.k8s.io); only in the operator's own file. */
export interface ExecPlugin {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  /** A name on the path, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Instructions for a missing command. */
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
}

/** How a connection proves who it is. A token and a client certificate may stand together. */
export interface Credential {
  readonly token?: string | undefined;
  /** PEM, leaf first. */
  readonly certificate?: string | undefined;
  /** PEM. */
  readonly key?: string | undefined;
  /** Absolute path, read again every minute; only in the operator's own file. */
  readonly tokenFile?: string | undefined;
  readonly exec?: ExecPlugin | undefined;
}

/** Who a request is made as (`as`, `as-uid`, `as-groups`, `as-user-extra`). */
export interface Impersonation {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Everything needed to reach one cluster with one credential. Secret: never logged, answered or put in an error. */
export interface Target {
  /** https://host[:port][/prefix], without a slash at the end. */
  readonly server: string;
  /** PEM of the authorities that may vouch for the server; the system's own without it. */
  readonly ca: string | undefined;
  readonly tlsServerName: string | undefined;
  readonly disableCompression: boolean;
  readonly namespace: string | undefined;
  readonly credential: Credential;
  readonly impersonate: Impersonation | undefined;
}

/** A target as the smallest kubeconfig that says the same (JSON, which is YAML): the form that is sealed and stored. */
export function toKubeconfig(target: Target): string {
  const { credential, impersonate } = target;
  const encode = (pem: string | undefined) =>
    pem === undefined ? undefined : Buffer.from(pem).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'cluster',
    contexts: [
      { name: 'cluster', context: { cluster: 'cluster', user: 'user', namespace: target.namespace } },
    ],
    clusters: [
      {
        name: 'cluster',
        cluster: {
          server: target.server,
          'certificate-authority-data': encode(target.ca),
          'tls-server-name': target.tlsServerName,
          'disable-compression': target.disableCompression || undefined,
        },
      },
    ],
    users: [
      {
        name: 'user',
        user: {
          token: credential.token,
          'client-certificate-data': encode(credential.certificate),
          'client-key-data': encode(credential.key),
          as: impersonate?.user,
          'as-uid': impersonate?.uid,
          'as-groups': impersonate?.groups,
          'as-user-extra': impersonate?.extra,
        },
      },
    ],
  });
}
