/** The playground's child process, as the directory sees it. */
export interface PlaygroundSource {
  /** Where it listens (https on loopback), the authority of its certificate (PEM) and its token. Waits until it is up; throws Problem when it cannot be. */
  target(): Promise<{ readonly server: string; readonly ca: string; readonly token: string }>;
  /** Told when it was started again under another address or token. Returns a disposer. */
  onRestart(listener: () => void): () => void;
}
