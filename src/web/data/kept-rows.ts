import type { CellValue, Row } from '../../contract/live.ts';

/** A row as it is kept: its uid, the cells of namespace, name and status, in this order. */
export type KeptRow = readonly [uid: string, namespace: CellValue, name: CellValue, status: CellValue];

/** The rows of a list as they were. */
export interface KeptList<R = Row> {
  /** When they were kept, epoch ms. */
  readonly at: number;
  readonly rows: readonly R[];
}

/** The parts of the browser that keep rows. */
export interface KeepingParts {
  /** The browser's cache in which they are. */
  readonly cache: Cache;
  readonly crypto: Pick<Crypto, 'getRandomValues'> & { readonly subtle: SubtleCrypto };
  readonly now: () => number;
}

/** Time for which rows are kept, ms. */
const keptFor = 24 * 3_600_000;
/** Size of all that is kept, bytes. */
const maxKept = 2_000_000;

/** Maximum number of rows kept of a list. */
const maxKeptRows = 1_000;

/** The kept cells of a row. @param places where its namespace, name and status are; -1 for one that its kind does not have */
export function keptRow([uid, cells]: Row, places: readonly number[]): KeptRow {
  const [namespace = null, name = null, status = null] = places.map((at) => cells[at] ?? null);
  return [uid, namespace, name, status];
}

/** A kept row as a row of a list: the cells that were not kept are empty. */
export function rowOfKept([uid, ...kept]: KeptRow, places: readonly number[]): Row {
  const cells = Array.from({ length: Math.max(...places) + 1 }, (_, index) => {
    const at = places.indexOf(index);
    return at < 0 ? null : (kept[at] ?? null);
  });
  return [uid, cells];
}

const [algorithm, ivLength] = ['AES-GCM', 12];
const [timeHeader, sizeHeader] = ['x-kept-at', 'content-length'];

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

/**
 * The last known rows of lists, in the browser's own cache. They are encrypted with a key that the server derives from the
 * session and its rights, and found by digests of it: without that key neither a row nor the name of a list can be read.
 */
export class KeptRows {
  readonly #parts: KeepingParts;
  readonly #secret: Uint8Array<ArrayBuffer>;
  readonly #key: CryptoKey;
  /** Beginning of the addresses of all that is kept under the key. */
  readonly #prefix: string;

  private constructor(parts: KeepingParts, secret: Uint8Array<ArrayBuffer>, key: CryptoKey, prefix: string) {
    this.#parts = parts;
    this.#secret = secret;
    this.#key = key;
    this.#prefix = prefix;
  }

  /** Opens what is kept under a key of 32 bytes (base64url), and deletes what is kept under any other one or for too long. */
  static async open(parts: KeepingParts, key: string): Promise<KeptRows> {
    const secret = bytesOf(key);
    const { subtle } = parts.crypto;
    const imported = await subtle.importKey('raw', secret, algorithm, false, ['encrypt', 'decrypt']);
    const prefix = `/kept-rows/${hexOf(await subtle.digest('SHA-256', secret)).slice(0, 16)}/`;
    const kept = new KeptRows(parts, secret, imported, prefix);
    await kept.#prune();
    return kept;
  }

  /**
   * The kept rows of a list; undefined where none are, or for too long.
   * @param name by `targetKey`
   * @param places where the kept cells are in a row now
   */
  async read(name: string, places: readonly number[]): Promise<KeptList | undefined> {
    const response = await this.#parts.cache.match(await this.#addressOf(name));
    if (response === undefined || !this.#isFresh(response)) return undefined;
    const sealed = new Uint8Array(await response.arrayBuffer());
    const text = await this.#parts.crypto.subtle.decrypt(
      { name: algorithm, iv: sealed.slice(0, ivLength) },
      this.#key,
      sealed.slice(ivLength),
    );
    // It was sealed by `write`, with a key that nobody else has.
    const { at, rows } = JSON.parse(new TextDecoder().decode(text)) as KeptList<KeptRow>;
    return { at, rows: rows.map((row) => rowOfKept(row, places)) };
  }

  /**
   * Keeps the rows of a list, in place of what was kept of it; the oldest lists make room.
   * @param name by `targetKey`
   * @param places where the cells that are kept are in a row
   */
  async write(name: string, shown: Iterable<Row>, places: readonly number[]): Promise<void> {
    const at = this.#parts.now();
    const rows: KeptRow[] = [];
    for (const row of shown) {
      if (rows.length === maxKeptRows) break;
      rows.push(keptRow(row, places));
    }
    const list: KeptList<KeptRow> = { at, rows };
    const iv = this.#parts.crypto.getRandomValues(new Uint8Array(ivLength));
    const sealed = await this.#parts.crypto.subtle.encrypt(
      { name: algorithm, iv },
      this.#key,
      new TextEncoder().encode(JSON.stringify(list)),
    );
    const size = ivLength + sealed.byteLength;
    const headers = { [timeHeader]: String(at), [sizeHeader]: String(size) };
    const response = new Response(new Blob([iv, sealed]), { headers });
    await this.#parts.cache.put(await this.#addressOf(name), response);
    await this.#prune();
  }

  async #addressOf(name: string): Promise<string> {
    const text = new TextEncoder().encode(name);
    const digest = await this.#parts.crypto.subtle.digest(
      'SHA-256',
      new Uint8Array([...this.#secret, ...text]),
    );
    return this.#prefix + hexOf(digest);
  }

  #isFresh({ headers }: Response): boolean {
    const age = this.#parts.now() - Number(headers.get(timeHeader));
    return age >= 0 && age < keptFor;
  }

  /** Deletes what is of another key or too old, and the oldest of what is too much. */
  async #prune(): Promise<void> {
    const { cache } = this.#parts;
    const kept: { readonly request: Request; readonly at: number; readonly size: number }[] = [];
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      const isOwn = new URL(request.url).pathname.startsWith(this.#prefix);
      if (response === undefined || !isOwn || !this.#isFresh(response)) await cache.delete(request);
      else {
        const { headers } = response;
        kept.push({ request, at: Number(headers.get(timeHeader)), size: Number(headers.get(sizeHeader)) });
      }
    }
    let size = 0;
    for (const one of kept.sort((a, b) => b.at - a.at)) {
      size += one.size;
      if (size > maxKept) await cache.delete(one.request);
    }
  }
}
