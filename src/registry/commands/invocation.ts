/** One object of a cluster, by kind id. */
export interface ObjectRef {
  readonly cluster: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The objects or the cluster that a command acts on; resolved once before the command runs. */
export type Subject =
  | { readonly type: 'none' }
  | { readonly type: 'cluster'; readonly cluster: string }
  | {
      readonly type: 'objects';
      readonly refs: readonly [ObjectRef, ...ObjectRef[]];
      readonly from: 'args' | 'selection' | 'row' | 'tile';
    };

export type Source = 'palette' | 'key' | 'menu' | 'button' | 'url' | 'api' | 'proposal' | 'warnedProposal';

/** Where a route opens. */
export type Target = 'here' | 'new-tab' | 'split-right' | 'split-down';

/** One run of a command. */
export interface Invocation<A> {
  readonly args: A;
  readonly subject: Subject;
  readonly source: Source;
  readonly target: Target;
}
