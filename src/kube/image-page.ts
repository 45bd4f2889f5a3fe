/** Components of an image's path, as the OCI distribution specification writes them. */
const pathPattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
/** The longest name of an image, by the same specification. */
const maxNameLength = 255;

const hubPage = (path: string): string | undefined => {
  const parts = path.split('/');
  if (parts.length > 2) return undefined;
  const [owner, name] = parts.length === 1 ? ['library', path] : parts;
  return owner === 'library'
    ? `https://hub.docker.com/_/${name}`
    : `https://hub.docker.com/r/${owner}/${name}`;
};

/** The page in Google's console of an image below a project: `gcr.io/project/image`. */
const googlePage =
  (location: string) =>
  (path: string): string | undefined => {
    const [project, ...rest] = path.split('/');
    return rest.length === 0
      ? undefined
      : `https://console.cloud.google.com/gcr/images/${project}/${location}/${rest.join('/')}`;
  };

/** How the page of an image is found at registries that everybody may read, by host. */
const pages: ReadonlyMap<string, (path: string) => string | undefined> = new Map([
  ['docker.io', hubPage],
  ['index.docker.io', hubPage],
  ['registry-1.docker.io', hubPage],
  // GitHub leads from here to the package, whether a person or an organisation owns it.
  ['ghcr.io', (path) => (path.includes('/') ? `https://ghcr.io/${path}` : undefined)],
  ['quay.io', (path) => (path.includes('/') ? `https://quay.io/repository/${path}` : undefined)],
  ['gcr.io', googlePage('GLOBAL')],
  ['us.gcr.io', googlePage('US')],
  ['eu.gcr.io', googlePage('EU')],
  ['asia.gcr.io', googlePage('ASIA')],
  ['registry.k8s.io', (path) => `https://console.cloud.google.com/gcr/images/k8s-artifacts-prod/US/${path}`],
  ['public.ecr.aws', (path) => (path.includes('/') ? `https://gallery.ecr.aws/${path}` : undefined)],
  ['mcr.microsoft.com', (path) => `https://mcr.microsoft.com/en-us/artifact/mar/${path}`],
]);

/** The host of an image's registry; undefined for Docker Hub's, which names need not say. */
export function registryHost(name: string): string | undefined {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  // As docker reads it: what stands first is a host if it could be no name of an owner.
  return /[.:]/.test(first) || first === 'localhost' ? first : undefined;
}

/**
 * The page about an image at its registry; undefined for a registry that is not in a fixed table, and for what is no
 * name of an image. Nothing of the text but the checked path gets into the address.
 */
export function imagePage(image: string): string | undefined {
  if (image.length > maxNameLength) return undefined;
  const name = image.replace(/@[a-z0-9]+:[a-f0-9]+$/, '').replace(/:\w[\w.-]*$/, '');
  const host = registryHost(name);
  const path = host === undefined ? name : name.slice(host.length + 1);
  if (!pathPattern.test(path)) return undefined;
  return pages.get(host ?? 'docker.io')?.(path);
}
