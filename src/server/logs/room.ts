/** A source waits for `promise`; `resolve` lets it go on. */
export interface Room {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}
