import { definitionKind } from '../../../commands/kinds/custom.ts';
import { epochSeconds } from '../../kube/age.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { metadataTransport } from '../clusters/metadata-transport.ts';
import type { Transport } from '../clusters/transport.ts';

/** `kubectl apply` leaves a copy of a definition in its annotations: a page of five hundred would be large. */
const pageSize = 100;

/**
 * The definitions of a cluster by name, a list of its own: their schemas, tens of megabytes, are not read. An entry changes
 * with each version of a definition.
 */
export const definitionNames: AnyKind = {
  ...definitionKind,
  columns: [],
  facts: ({ metadata }) => ({
    generation: metadata?.generation ?? 0,
    version: metadata?.resourceVersion ?? '',
    created: epochSeconds(metadata?.creationTimestamp) ?? 0,
  }),
  fingerprint: 'names',
};

/** A transport that reads the metadata of definitions alone. */
export function namesOf(transport: Transport): Transport {
  const metadata = metadataTransport(transport, undefined);
  return {
    ...metadata,
    json: (request) => {
      const limit = request.query?.['limit'] === undefined ? {} : { limit: pageSize };
      return metadata.json({ ...request, query: { ...request.query, ...limit } });
    },
  };
}
