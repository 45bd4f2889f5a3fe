import { useQueries } from '@tanstack/react-query';
import type { JSONSchema } from 'monaco-yaml';
import { useMemo, useState } from 'react';
import { firstFacts } from '../../../../commands/kinds/first-facts.ts';
import { coreGroup } from '../../../registry/kinds/resource-key.ts';
import { isPlainObject } from '../../../kube/plain.ts';
import { useData } from '../../data/port.ts';
import { type KnownSchema, rootSchema } from './root-schema.ts';
import type { Parsed } from './use-parsed.ts';

/** Most kinds of one text that the cluster is asked about. */
const maxKinds = 10;
/** Schemas change with upgrades and definitions: often enough to ask again, ms. */
const believedMs = 5 * 60_000;

type SchemaIdentity = Omit<KnownSchema, 'schema'>;

/** The kinds of a text's documents; undefined while it cannot be read. */
function kindsOf(parsed: Parsed | undefined): readonly SchemaIdentity[] | undefined {
  if (parsed?.manifest.type !== 'valid') return undefined;
  const found = new Map<string, SchemaIdentity>();
  for (const { value } of parsed.manifest.documents) {
    if (!isPlainObject(value)) continue;
    const { apiVersion, kind } = value;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !/^[A-Z][A-Za-z0-9]*$/.test(kind))
      continue;
    found.set(`${apiVersion} ${kind}`, { apiVersion, kind });
  }
  return [...found.values()].slice(0, maxKinds);
}

const keyOf = (kinds: readonly SchemaIdentity[]) =>
  kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).join();
const kindNames = firstFacts.map(({ kind }) => kind);
const schemasOf = (results: readonly { readonly data: JSONSchema | null | undefined }[]) =>
  results.map(({ data }) => data);

/** The schema of a text on a cluster: of its kinds as they are there, custom ones included. */
export function useSchema(clusterId: number | undefined, parsed: Parsed | undefined): JSONSchema {
  const { api } = useData();
  // While somebody types, a text is often no YAML for a moment: its kinds stay what they were.
  const [kinds, setKinds] = useState<readonly SchemaIdentity[]>([]);
  const now = kindsOf(parsed);
  if (now !== undefined && keyOf(now) !== keyOf(kinds)) setKinds(now);
  const schemas = useQueries({
    queries: kinds.map(({ apiVersion, kind }) => ({
      queryKey: ['kind-schema', clusterId, apiVersion, kind],
      enabled: clusterId !== undefined,
      staleTime: believedMs,
      // Hints: without them a text is edited all the same.
      retry: false,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<JSONSchema | null> => {
        const [version = '', group = coreGroup] = apiVersion.split('/').toReversed();
        const { schema } = await api.kindSchema(
          {
            params: { clusterId: clusterId ?? 0, kind: `${group}~${version}~${kind}` },
            query: { version },
          },
          { signal },
        );
        return schema;
      },
    })),
    combine: schemasOf,
  });
  return useMemo(
    () =>
      rootSchema(
        kinds.flatMap((named, index) => {
          const schema = schemas[index];
          return schema == null ? [] : [{ ...named, schema }];
        }),
        kindNames,
      ),
    [kinds, schemas],
  );
}
