import type { KubeRequest, Transport } from './transport.ts';

/** Metadata alone, in lists and in watch events; servers that do not know it send whole objects. */
const listForm = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const watchForm = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

/** The same cluster, asked for metadata alone. @param labelSelector only of what has these labels */
export function metadataTransport(transport: Transport, labelSelector: string | undefined): Transport {
  const narrowed = (query: KubeRequest['query']) =>
    labelSelector === undefined ? {} : { query: { ...query, labelSelector } };
  return {
    clusterId: transport.clusterId,
    credential: transport.credential,
    json: (request) => transport.json({ ...request, ...narrowed(request.query), accept: listForm }),
    stream: (request) => transport.stream({ ...request, ...narrowed(request.query), accept: watchForm }),
    close: () => transport.close(),
  };
}
