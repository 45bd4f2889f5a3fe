import { type JsonSchema, schemaOfKind } from '../../kube/openapi-schema.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { isPlain } from './read.ts';
import type { Clock } from '../kit/clock.ts';

/** A kind in one version. */
export interface KindVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The schemas of clusters' kinds, as the clusters themselves publish them. */
export interface SchemaCatalogue {
  /** Undefined for what a cluster has no schema of. Authorise the person for the kind first. Throws ClusterProblem. */
  schema(transport: Transport, wanted: KindVersion): Promise<JsonSchema | undefined>;
}

/** A cluster's list of its OpenAPI documents is cached this long, ms. */
const believedMs = 60_000;
const maxIndexes = 200;
/** Characters of all schemas that are remembered: some dozens of kinds. */
const maxRemembered = 3_000_000;
/** A schema larger than this is of no use to an editor, characters. */
const maxSchemaLength = 1_500_000;
const documentBytes = 16 * 1024 * 1024;

type Index = ReadonlyMap<string, string>;

/**
 * Reads schemas from clusters' OpenAPI v3: the index says a hash of each document, and what was made of a document is
 * remembered by that hash and by the credential that read it, the least used forgotten first.
 */
export function createSchemaCatalogue(clock: Clock): SchemaCatalogue {
  const indexes = new Map<string, { readonly index: Promise<Index>; readonly until: number }>();
  const remembered = new Map<string, string>();
  const asked = new Map<string, Promise<string>>();
  let held = 0;

  function indexOf(transport: Transport): Promise<Index> {
    const known = indexes.get(transport.credential);
    if (known !== undefined && known.until > clock.now()) return known.index;
    if (indexes.size >= maxIndexes) indexes.clear();
    const index = readIndex(transport);
    indexes.set(transport.credential, { index, until: clock.now() + believedMs });
    index.catch(() => indexes.delete(transport.credential));
    return index;
  }

  function remember(key: string, text: string): void {
    remembered.set(key, text);
    held += text.length;
    for (const [oldest, old] of remembered) {
      if (held <= maxRemembered) break;
      remembered.delete(oldest);
      held -= old.length;
    }
  }

  return {
    async schema(transport, wanted) {
      const { group, version, kind } = wanted;
      const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      const hash = (await indexOf(transport)).get(name);
      if (hash === undefined) return undefined;
      const key = `${transport.credential} ${name} ${hash} ${kind}`;
      let text = remembered.get(key);
      if (text === undefined) {
        let reading = asked.get(key);
        if (reading === undefined) {
          reading = readSchema(transport, { name, hash }, wanted).finally(() => asked.delete(key));
          asked.set(key, reading);
          reading.then(
            (read) => remember(key, read),
            () => {},
          );
        }
        text = await reading;
      } else {
        // The newest stands last.
        remembered.delete(key);
        remembered.set(key, text);
      }
      return (JSON.parse(text) as JsonSchema | null) ?? undefined;
    },
  };
}

/** Which documents a cluster has, each with its hash; none where it publishes none. */
async function readIndex(transport: Transport): Promise<Index> {
  let answer: unknown;
  try {
    answer = await transport.json<unknown>({ path: '/openapi/v3' });
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return new Map();
    throw error;
  }
  const paths = isPlain(answer) && isPlain(answer['paths']) ? answer['paths'] : {};
  return new Map(
    Object.entries(paths).map(([name, one]) => {
      const url = isPlain(one) ? one['serverRelativeURL'] : undefined;
      // Of what it says only the hash is used: which path is asked for is not the cluster's to say.
      const [, hash = ''] = typeof url === 'string' ? (/[?&]hash=([0-9A-Za-z]{1,200})/.exec(url) ?? []) : [];
      return [name, hash];
    }),
  );
}

/** The schema as text, which takes a fraction of the memory; `null` for none, or one that is of no use. */
async function readSchema(
  transport: Transport,
  { name, hash }: { readonly name: string; readonly hash: string },
  wanted: KindVersion,
): Promise<string> {
  const document = await transport.json<unknown>({
    path: `/openapi/v3/${name.split('/').map(encodeURIComponent).join('/')}`,
    query: { hash: hash === '' ? undefined : hash },
    answerLimit: {
      bytes: documentBytes,
      sentence: 'The OpenAPI schema of the cluster is too large to read.',
    },
  });
  const text = JSON.stringify(schemaOfKind(document, wanted) ?? null);
  return text.length > maxSchemaLength ? 'null' : text;
}
