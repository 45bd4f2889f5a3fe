import type { Condition, KubeObject } from './object.ts';

/** A printer column of a custom resource definition. */
export interface PrinterColumn {
  name?: string;
  type?: string;
  description?: string;
  jsonPath?: string;
  priority?: number;
}

/** The member of a listed object that holds its cells of the server's Table, where the kind reads them. */
export const tableCells = 'wheelhouseTableCells';

/** The parts of apiextensions.k8s.io/v1 CustomResourceDefinition that the console reads. */
export interface CustomResourceDefinition extends KubeObject {
  spec?: {
    group?: string;
    scope?: string;
    names?: {
      kind?: string;
      plural?: string;
      singular?: string;
      shortNames?: string[];
      categories?: string[];
    };
    versions?: {
      name?: string;
      served?: boolean;
      storage?: boolean;
      additionalPrinterColumns?: PrinterColumn[];
      subresources?: { scale?: { specReplicasPath?: string }; status?: object };
      schema?: { openAPIV3Schema?: object };
    }[];
    conversion?: {
      strategy?: string;
      webhook?: { clientConfig?: { service?: { namespace?: string; name?: string } } };
    };
  };
  status?: { conditions?: Condition[] };
}

/** The fields that custom objects commonly have. */
export interface CustomObject extends KubeObject {
  status?: unknown;
}

/** Registration of the server that serves one version of an API group. */
export interface ApiService extends KubeObject {
  readonly spec?: {
    readonly group?: string;
    readonly version?: string;
    readonly service?: { readonly namespace?: string; readonly name?: string } | null;
  };
  readonly status?: { conditions?: Condition[] };
}

/** The name of the APIService of a group version. */
export const apiServiceName = (group: string, version: string): string => `${version}.${group}`;

/** Says that another server than the cluster's own does not answer for its API, and where the reason is, a whole sentence. */
export const silentServer = (cluster: string, group: string, version: string): string =>
  `${cluster}: the server of the API ${group} does not answer (503). The conditions of APIService ${apiServiceName(group, version)} say why.`;

/**
 * Whether another server than the cluster's own serves the group version. Its resources are not custom resources,
 * whatever the definitions say.
 */
export const isElsewhere = ({ spec }: ApiService): boolean => (spec?.service ?? null) !== null;
