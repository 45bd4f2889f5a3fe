import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';

/** Dependencies of a volume's files. */
export interface Mounting {
  readonly world: World;
  readonly pod: Obj;
  /** A token of the pod's service account, for an audience ('' for the API server's own). */
  readonly token: (audience: string, seconds: number) => string;
}

const decodeData = (data: unknown): [string, string][] =>
  Object.entries(rec(data)).map(([key, value]) => [key, Buffer.from(str(value), 'base64').toString('utf8')]);

/** Keys and texts of a ConfigMap or Secret; binary data is decoded. */
export function textsOf(world: World, storage: string, namespace: string, name: string): Map<string, string> {
  const object = world.store.get(storage, keyOf(namespace, name));
  if (object === undefined) return new Map();
  return new Map(
    storage === '/secrets'
      ? decodeData(object['data'])
      : [
          ...Object.entries(rec(object['data'])).map(([key, value]): [string, string] => [key, str(value)]),
          ...decodeData(object['binaryData']),
        ],
  );
}

/** A field of the pod, by its path in the downward API. */
export function fieldOf(pod: Obj, path: string): string {
  const match = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (match !== null) return str(at(pod, 'metadata', match[1] ?? '', match[2] ?? ''));
  if (path === 'metadata.labels' || path === 'metadata.annotations') {
    const entries = Object.entries(rec(at(pod, ...path.split('.')))).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join('\n');
  }
  return str(at(pod, ...path.split('.')));
}

/** The selected keys under their paths; every key when `items` is absent. */
function selectedKeys(texts: ReadonlyMap<string, string>, items: unknown): [string, string][] {
  const wanted = recs(items);
  if (wanted.length === 0) return Array.from(texts);
  return wanted.flatMap((item): [string, string][] => {
    const text = texts.get(str(item['key']));
    return text === undefined ? [] : [[str(item['path']), text]];
  });
}

/** Files of a volume or a projected source; paths are relative to the mount. */
function filesOf(mounting: Mounting, source: Rec): [string, string][] {
  const { world, pod, token } = mounting;
  const { namespace = '' } = pod.metadata;
  const config = rec(source['configMap']);
  const secret = rec(source['secret']);
  const downward = source['downwardAPI'];
  const account = source['serviceAccountToken'];
  return [
    ...selectedKeys(textsOf(world, '/configmaps', namespace, str(config['name'])), config['items']),
    ...selectedKeys(
      textsOf(world, '/secrets', namespace, str(secret['secretName'] ?? secret['name'])),
      secret['items'],
    ),
    ...recs(at(downward, 'items')).flatMap((item): [string, string][] =>
      item['fieldRef'] === undefined
        ? []
        : [[str(item['path']), fieldOf(pod, str(at(item, 'fieldRef', 'fieldPath')))]],
    ),
    ...(account === undefined
      ? []
      : ([
          [
            str(at(account, 'path')),
            token(str(at(account, 'audience')), Number(at(account, 'expirationSeconds') ?? 3600)),
          ],
        ] as [string, string][])),
    ...recs(at(source, 'projected', 'sources')).flatMap((part) => filesOf(mounting, part)),
  ];
}

/** Adds a container's mounted files by path, and its mount points. */
export function mountAll(
  mounting: Mounting,
  container: Rec,
  files: Map<string, string>,
  mountPaths: string[],
): void {
  const volumes = recs(at(mounting.pod, 'spec', 'volumes'));
  for (const mount of recs(container['volumeMounts'])) {
    const volume = volumes.find((item) => item['name'] === mount['name']);
    const mountPath = str(mount['mountPath']).replace(/\/+$/, '');
    if (volume === undefined || mountPath === '') continue;
    mountPaths.push(mountPath);
    const only = str(mount['subPath']);
    for (const [path, text] of filesOf(mounting, volume)) {
      if (only === '') files.set(`${mountPath}/${path}`, text);
      else if (only === path) files.set(mountPath, text);
    }
  }
}
