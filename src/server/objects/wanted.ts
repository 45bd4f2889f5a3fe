import { registryHost } from '../../kube/image-page.ts';
import type { ObjectRemedy } from '../../kube/shared-cause.ts';
import { secretTypes } from '../../kube/secret.ts';
import { writeYaml } from '../../kube/yaml/write.ts';
import type { NamedObject } from '../../registry/kinds/refs.ts';

/** An object that is missing, as far as what needs it says what has to be in it. */
export interface WantedObject {
  readonly of: NamedObject;
  /** Its members besides apiVersion, kind and metadata. Values that nobody knows are empty. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Keys of one object, at most. */
const keyLimit = 50;

/** Names of objects (RFC 1123), and keys of config maps and Secrets. */
const validName = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;
const validKey = /^[-._A-Za-z0-9]{1,253}$/;

/**
 * The manifest of an object that is missing, as YAML. Undefined where its name cannot be that of an object: it may come
 * from the text of a message.
 */
export function manifestOf({ of, body }: WantedObject): string | undefined {
  const { apiVersion, kind, namespace, name } = of;
  if (!validName.test(name)) return undefined;
  const place = namespace === undefined ? {} : { namespace };
  return writeYaml({ apiVersion, kind, metadata: { name, ...place }, ...body });
}

const coreObject = (kind: string, name: string, namespace: string | undefined): NamedObject => ({
  apiVersion: 'v1',
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  name,
});

/** Each key once with an empty value, to be completed. */
const emptyValues = (keys: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...new Set(keys)]
      .filter((key) => validKey.test(key))
      .slice(0, keyLimit)
      .map((key) => [key, '']),
  );

/** A config map or an opaque Secret with these keys. */
export function wantedSource(
  kind: 'ConfigMap' | 'Secret',
  name: string,
  namespace: string | undefined,
  keys: readonly string[],
): WantedObject {
  const values = emptyValues(keys);
  return {
    of: coreObject(kind, name, namespace),
    body: kind === 'Secret' ? { type: secretTypes.opaque, stringData: values } : { data: values },
  };
}

/** A Secret for the certificate of a host. */
export const wantedCertificate = (name: string, namespace: string | undefined): WantedObject => ({
  of: coreObject('Secret', name, namespace),
  body: { type: secretTypes.tls, stringData: { 'tls.crt': '', 'tls.key': '' } },
});

/** A pull secret for the registry of an image, without the account. */
export function wantedPullSecret(name: string, namespace: string | undefined, image: string): WantedObject {
  const account = { auths: { [registryOf(image)]: { username: '', password: '' } } };
  return {
    of: coreObject('Secret', name, namespace),
    body: {
      type: secretTypes.dockerConfig,
      stringData: { '.dockerconfigjson': `${JSON.stringify(account, null, 2)}\n` },
    },
  };
}

/** The registry of an image, as a pull secret names it. */
function registryOf(image: string): string {
  const host = registryHost(image);
  const isHub = host === undefined || /^(?:index\.|registry-1\.)?docker\.io$/.test(host);
  return isHub ? 'https://index.docker.io/v1/' : host;
}

/** A service account. */
export const wantedAccount = (name: string, namespace: string | undefined): WantedObject => ({
  of: coreObject('ServiceAccount', name, namespace),
  body: {},
});

/** What helps to create a missing object of which nothing but its kind and name is known. */
export function wantedByName(
  { kind, name }: Pick<ObjectRemedy, 'kind' | 'name'>,
  namespace: string | undefined,
): WantedObject | undefined {
  switch (kind) {
    case 'ConfigMap':
    case 'Secret':
      return wantedSource(kind, name, namespace, []);
    case 'ServiceAccount':
      return wantedAccount(name, namespace);
    case 'ResourceQuota':
      return undefined;
    default:
      return kind satisfies never;
  }
}
