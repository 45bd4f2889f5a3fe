/** The server cannot start (or an operator command cannot run): sentences that say why and what to do. */
export class StartError extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: string | readonly string[], options?: ErrorOptions) {
    const list = typeof sentences === 'string' ? [sentences] : sentences;
    super(list.join('\n'), options);
    this.name = 'StartError';
    this.sentences = list;
  }
}
