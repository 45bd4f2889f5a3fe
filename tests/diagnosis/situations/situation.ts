/** What somebody does later, or what a controller reports that the playground lacks. */
export interface Step {
  /** Seconds since the manifests were applied, or since the step before. */
  readonly after: number;
  /** YAML: objects to create; of those that exist, members to merge into the object and into its status. */
  readonly apply?: string;
  /** An object to delete, named as in `ask`. */
  readonly remove?: string;
}

/**
 * Broken situations, and the cause that the rules have to name. Anybody may add one: what it is in words, its manifests,
 * how long it takes to break, what is asked about, and the rule and object that are to be named first.
 */
export interface Situation {
  readonly id: string;
  /** What is broken, as somebody would tell it. */
  readonly what: string;
  /** YAML, in the namespace `default` unless it says otherwise. */
  readonly manifests: string;
  /** What happens after the manifests were applied, one after the other. */
  readonly steps?: readonly Step[];
  /** Seconds until it is broken: after the last step, if there are any. */
  readonly after: number;
  /** What somebody asks about: `Kind.group namespace/name`, or `Kind name` for an object of the cluster. */
  readonly ask: string;
  /** The rule that names the cause. */
  readonly rule: string;
  /** The kind and name of the object at fault; that of a pod without the random end of its name. */
  readonly object: string;
  /** What the sentence must name. */
  readonly names: RegExp;
  /** Rules that may say something besides without being wrong. */
  readonly besides?: readonly string[];
}
