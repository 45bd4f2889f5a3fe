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
    names?: { kind?: string; plural?: string; singular?: string; shortNames?: string[] };
    versions?: {
      name?: string;
      served?: boolean;
      storage?: boolean;
      additionalPrinterColumns?: PrinterColumn[];
    }[];
  };
  status?: { conditions?: Condition[] };
}

/** What most custom objects have. */
export interface CustomObject extends KubeObject {
  status?: { phase?: unknown; conditions?: unknown };
}
