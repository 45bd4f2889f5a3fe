/**
 * Shows the output of parts that run at once one after the other: that of the first part which has not ended as it
 * comes, that of the others once their turn is there.
 */
export class OrderedOutput {
  readonly #write: (text: string) => void;
  readonly #queue: { readonly name: string; text: string; isEnded: boolean; isShown: boolean }[];

  constructor(names: readonly string[], write: (text: string) => void) {
    this.#write = write;
    this.#queue = names.map((name) => ({ name, text: '', isEnded: false, isShown: false }));
  }

  /** Adds to the output of a part. */
  add(name: string, text: string): void {
    const entry = this.#queue.find((one) => one.name === name);
    if (entry === undefined) return;
    entry.text += text;
    this.#show();
  }

  /** Notes that a part has ended: nothing more is added to it. */
  end(name: string): void {
    const entry = this.#queue.find((one) => one.name === name);
    if (entry === undefined) return;
    entry.isEnded = true;
    this.#show();
  }

  #show(): void {
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      if (!first.isShown && (first.text !== '' || first.isEnded)) {
        first.isShown = true;
        this.#write(`\n── ${first.name} ──\n`);
      }
      this.#write(first.text);
      first.text = '';
      if (!first.isEnded) return;
      this.#queue.shift();
    }
  }
}
