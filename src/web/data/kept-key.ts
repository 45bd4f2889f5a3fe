import type { KeptRows } from './kept-rows.ts';

/** Name of the browser's cache in which the last known rows of lists are kept. */
const keptRowsCache = 'wheelhouse-rows';
/** Item of the browser's storage that is there while rows are kept: else their code need not be loaded. */
const mark = 'wheelhouse.rows';

/** The key of the last known rows of lists, which the guard's answer carries, and what is kept under it. */
export class KeptKey {
  #key: string | undefined;
  #opened: Promise<KeptRows> | undefined;

  /** Takes the key of an answer; without one nothing is kept, and what was kept is deleted. */
  set(key: string | undefined): void {
    if (key === undefined) this.forget();
    if (key !== this.#key) this.#opened = undefined;
    this.#key = key;
  }

  /** Whether rows may be kept: under plain http the browser has neither ciphers nor caches. */
  get isOpen(): boolean {
    return this.#key !== undefined && isSecureContext;
  }

  /** Whether rows were kept in this browser. */
  get hasRows(): boolean {
    return this.isOpen && localStorage.getItem(mark) !== null;
  }

  /** The kept rows, with the code that reads and writes them. Undefined where none may be kept. Rejects where that fails. */
  async rows(): Promise<KeptRows | undefined> {
    const key = this.#key;
    if (key === undefined || !isSecureContext) return undefined;
    this.#opened ??= import('./kept-rows.ts').then(async ({ KeptRows }) => {
      localStorage.setItem(mark, '');
      const cache = await caches.open(keptRowsCache);
      return await KeptRows.open({ cache, crypto, now: () => Date.now() }, key);
    });
    return await this.#opened;
  }

  /** Deletes all that is kept: the person leaves, or nothing may be kept any more. */
  forget(): void {
    this.#key = undefined;
    this.#opened = undefined;
    if (localStorage.getItem(mark) === null) return;
    localStorage.removeItem(mark);
    caches.delete(keptRowsCache).catch((error: unknown) => {
      console.error('The last known rows of lists could not be deleted.', error);
    });
  }
}
