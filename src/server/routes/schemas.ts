import type { schemaEndpoints } from '../../contract/schemas.ts';
import type { Handlers } from '../http/handlers.ts';
import { createSchemaCatalogue } from '../objects/schema-catalogue.ts';
import type { RouteParts } from './parts.ts';

/** Handlers of clusters' schemas, for people who may view objects of the kind. */
export function schemaHandlers({
  clusters,
  clock,
}: Pick<RouteParts, 'clusters' | 'clock'>): Handlers<typeof schemaEndpoints> {
  const schemas = createSchemaCatalogue(clock);
  return {
    async kindSchema({ params, query }, { kind }) {
      const transport = await clusters.transport(params.clusterId);
      const { version = kind.version } = query;
      const schema = await schemas.schema(transport, { group: kind.group, version, kind: kind.kind });
      return { schema: schema === undefined ? null : { ...schema } };
    },
  };
}
