import type { Condition, KubeObject } from './object.ts';

/** A column that a definition gives its objects. */
export interface PrinterColumn {
  name?: string;
  type?: string;
  description?: string;
  jsonPath?: string;
  priority?: number;
}

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
  };
  status?: { conditions?: Condition[] };
}

/** What most custom objects have. */
export interface CustomObject extends KubeObject {
  status?: unknown;
}

/** Who answers for one version of an API group. */
export interface ApiService extends KubeObject {
  readonly spec?: { readonly group?: string; readonly version?: string; readonly service?: unknown };
}

/** Whether another server than the cluster's own answers for it: its resources are no custom ones, whatever is defined. */
export const isElsewhere = ({ spec }: ApiService): boolean => (spec?.service ?? null) !== null;
