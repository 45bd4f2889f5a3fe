/** The clusters of a playground: the company's, and a smaller one that starts when it is first used. */
export type PlaygroundCluster = 'company' | 'staging';

/** The context in the row of the staging playground. */
export const stagingContext = 'staging';

/** The playground's child process, as the directory sees it. */
export interface PlaygroundSource {
  /** Whether it offers the staging cluster too. */
  readonly hasStaging: boolean;
  /** Where a cluster of it listens (https on loopback), the authority of its certificate (PEM) and its token. Waits until it is up; throws Problem when it cannot be. */
  target(
    cluster?: PlaygroundCluster,
  ): Promise<{ readonly server: string; readonly ca: string; readonly token: string }>;
  /** Called when it was restarted under another address or token. Returns a disposer. */
  onRestart(listener: () => void): () => void;
}
