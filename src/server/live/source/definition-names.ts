import { definitionKind } from '../../../../commands/kinds/custom.ts';
import { epochSeconds } from '../../../kube/age.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { metadataTransport } from '../../clusters/metadata-transport.ts';
import type { Transport } from '../../clusters/transport.ts';

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
export const namesOf = (transport: Transport): Transport =>
  inSmallPages(metadataTransport(transport, undefined), 100);

/**
 * A transport whose lists come in small pages: definitions carry their schemas, and `kubectl apply` leaves a copy of them
 * in the metadata.
 */
export function inSmallPages(transport: Transport, size: number): Transport {
  return {
    clusterId: transport.clusterId,
    credential: transport.credential,
    json: (request) => {
      const limit = request.query?.['limit'] === undefined ? {} : { limit: size };
      return transport.json({ ...request, query: { ...request.query, ...limit } });
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  };
}
