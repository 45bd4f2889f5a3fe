/** Seals secrets at rest (AES-256-GCM); the context binds a value to its table, row and column. */
export interface Vault {
  /** @param context e.g. `clusters/12/kubeconfig`: opening with another context fails. */
  seal(plaintext: string, context: string): Buffer;
  /** Throws when the value was moved, changed, or sealed with a key that is not in the ring. */
  open(sealed: Buffer, context: string): string;
}
