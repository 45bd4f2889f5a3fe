import type { World } from '../store/world.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { fieldOf, type Mounting, mountAll, textsOf } from './mounts.ts';

/** The surroundings of a process in a container, as it sees them. */
export interface View {
  readonly hostname: string;
  readonly user: 'root' | 'app';
  /** Milliseconds since 1970. */
  readonly started: number;
  /** Command line of the container's main process. */
  readonly process: string;
  readonly env: ReadonlyMap<string, string>;
  /** Text of every file by its path. */
  readonly files: ReadonlyMap<string, string>;
  /** Directories besides those of the files, such as mount points. */
  readonly folders: readonly string[];
  /** Names of the image's shells; empty when it has none. */
  readonly shells: readonly string[];
}

const folders = ['/bin', '/etc', '/home', '/proc', '/tmp', '/usr', '/var'];

/** Shells of an image: static images have none, few have bash. */
function shellsOf(image: string): readonly string[] {
  if (/^(registry\.k8s\.io\/(?!ingress-nginx)|quay\.io\/jetstack\/)|distroless|scratch/.test(image))
    return [];
  return /postgres|debian|ubuntu|netshoot|ci-runner|argocd|nginx|backup/.test(image)
    ? ['sh', 'bash']
    : ['sh'];
}

function envOf(world: World, pod: Obj, container: Rec): Map<string, string> {
  const { namespace = '', name = '' } = pod.metadata;
  const env = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', name],
    ['KUBERNETES_SERVICE_HOST', '10.96.0.1'],
    ['KUBERNETES_SERVICE_PORT', '443'],
    ['KUBERNETES_SERVICE_PORT_HTTPS', '443'],
    ['KUBERNETES_PORT', 'tcp://10.96.0.1:443'],
  ]);
  for (const source of recs(container['envFrom'])) {
    const prefix = str(source['prefix']);
    const from = (storage: string, field: string) => {
      const referenceName = str(at(source, field, 'name'));
      for (const [key, text] of textsOf(world, storage, namespace, referenceName))
        env.set(`${prefix}${key}`, text);
    };
    from('/configmaps', 'configMapRef');
    from('/secrets', 'secretRef');
  }
  for (const entry of recs(container['env'])) {
    const from = rec(entry['valueFrom']);
    const keyed = (storage: string, field: string) =>
      textsOf(world, storage, namespace, str(at(from, field, 'name'))).get(str(at(from, field, 'key')));
    const value =
      keyed('/configmaps', 'configMapKeyRef') ??
      keyed('/secrets', 'secretKeyRef') ??
      (from['fieldRef'] === undefined ? undefined : fieldOf(pod, str(at(from, 'fieldRef', 'fieldPath')))) ??
      str(entry['value']);
    env.set(
      str(entry['name']),
      value.replace(/\$\(([A-Za-z_]\w*)\)/g, (all, variable: string) => env.get(variable) ?? all),
    );
  }
  env.set('HOME', '/root');
  return env;
}

/** The view of a container: its environment, mounts and processes. */
export function viewOf(mounting: Mounting, name: string, tty: boolean): View {
  const { world, pod } = mounting;
  const container =
    ['containers', 'initContainers', 'ephemeralContainers']
      .flatMap((field) => recs(at(pod, 'spec', field)))
      .find((item) => item['name'] === name) ?? {};
  const image = str(container['image']);
  const { namespace = '' } = pod.metadata;
  const hostname =
    at(pod, 'spec', 'hostNetwork') === true
      ? str(at(pod, 'spec', 'nodeName'))
      : str(at(pod, 'spec', 'hostname')) || (pod.metadata.name ?? '').slice(0, 63);
  const env = envOf(world, pod, container);
  if (tty) env.set('TERM', 'xterm');
  const address = str(at(pod, 'status', 'podIP'));
  const words = [container['command'], container['args']].flatMap((part) =>
    Array.isArray(part) ? part : [],
  );
  const command = words.length > 0 ? words.map(String).join(' ') : `/usr/local/bin/${name}`;
  const files = new Map([
    ['/etc/hostname', `${hostname}\n`],
    [
      '/etc/hosts',
      `# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n${address}\t${hostname}\n`,
    ],
    [
      '/etc/resolv.conf',
      `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n`,
    ],
    ['/etc/os-release', `PRETTY_NAME="Playground"\nNAME="Playground"\nID=playground\n`],
    ['/proc/1/cmdline', `${command.replaceAll(' ', '\0')}\0`],
  ]);
  const mountPaths = [...folders];
  mountAll(mounting, container, files, mountPaths);
  const status = ['containerStatuses', 'initContainerStatuses']
    .flatMap((field) => recs(at(pod, 'status', field)))
    .find((item) => item['name'] === name);
  const root =
    at(container, 'securityContext', 'runAsNonRoot') ?? at(pod, 'spec', 'securityContext', 'runAsNonRoot');
  return {
    hostname,
    user: root === true ? 'app' : 'root',
    started: Date.parse(str(at(status, 'state', 'running', 'startedAt'))) || world.clock.now(),
    process: command,
    env,
    files,
    folders: mountPaths,
    shells: shellsOf(image),
  };
}
