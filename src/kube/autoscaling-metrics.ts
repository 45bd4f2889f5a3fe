import type { LabelSelector } from './selector.ts';

/** The object that an autoscaler scales. */
export interface ScaleTarget {
  apiVersion?: string;
  kind?: string;
  name?: string;
}

/** A target or measured value: a percentage of the request, or a quantity. */
export interface MetricValue {
  type?: string;
  averageUtilization?: number;
  averageValue?: string;
  value?: string;
}

/** The name of a metric, and which series of it are meant. */
interface MetricIdentifier {
  name?: string;
  selector?: LabelSelector;
}

/** One metric of an autoscaler; the member named by `type` has the details. */
export interface MetricSpec {
  type?: string;
  resource?: { name?: string; target?: MetricValue };
  containerResource?: { name?: string; container?: string; target?: MetricValue };
  pods?: { metric?: MetricIdentifier; target?: MetricValue };
  object?: { metric?: MetricIdentifier; describedObject?: ScaleTarget; target?: MetricValue };
  external?: { metric?: MetricIdentifier; target?: MetricValue };
}

/** One measured metric. */
export interface MetricStatus {
  type?: string;
  resource?: { name?: string; current?: MetricValue };
  containerResource?: { name?: string; container?: string; current?: MetricValue };
  pods?: { metric?: MetricIdentifier; current?: MetricValue };
  object?: { metric?: MetricIdentifier; describedObject?: ScaleTarget; current?: MetricValue };
  external?: { metric?: MetricIdentifier; current?: MetricValue };
}
