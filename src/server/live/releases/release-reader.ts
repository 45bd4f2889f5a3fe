import type { Logger } from 'pino';
import { Problem } from '../../../contract/problem.ts';
import type { Release } from '../../../kube/helm.ts';
import type { Transport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import { createLimiter } from '../../kit/limiter.ts';
import { readRevision, releaseObject } from '../../objects/release/read.ts';
import {
  type NewestRevision,
  newestRevision,
  type ReleaseRecord,
  recordStorages,
  releaseFromLabels,
  revisionNumbers,
  signatureOf,
} from './release-table.ts';

/** Revisions that are unpacked at a time: the largest take many times their size. */
const concurrency = 2;
/** A revision that could not be read is read again after this, ms. */
const retryPause = 15_000;

/** Inputs of `ReleaseReader`. */
export interface ReleaseReaderParts {
  readonly transport: () => Promise<Transport>;
  /** Whether a release still exists. */
  readonly has: (record: ReleaseRecord) => boolean;
  /** Takes what was read. */
  readonly show: (record: ReleaseRecord, release: Release) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Reads the newest revision of each release whenever the release changed, and again after failures. */
export class ReleaseReader {
  readonly #parts: ReleaseReaderParts;
  readonly #limiter = createLimiter(concurrency);
  /** Cancel the retries that wait. */
  readonly #retries = new Set<() => void>();
  #isDisposed = false;

  constructor(parts: ReleaseReaderParts) {
    this.#parts = parts;
  }

  /** Shows at once what the labels say, and the chart as soon as its newest revision was read. */
  async read(record: ReleaseRecord): Promise<void> {
    const signature = signatureOf(record);
    if (record.signature === signature) return;
    record.signature = signature;
    const newest = newestRevision(record);
    if (newest === undefined) return;
    const { show, log } = this.#parts;
    if (record.object === undefined) show(record, releaseFromLabels(record, newest));
    try {
      const release = await this.#unpack(record, newest, signature);
      if (release !== undefined && this.#isCurrent(record, signature)) show(record, release);
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error }, 'A Helm release could not be read');
      if (this.#isDisposed || !this.#isCurrent(record, signature)) return;
      show(record, releaseFromLabels(record, newest, error instanceof Problem ? error.title : undefined));
      this.#retryLater(record, signature);
    }
  }

  /** Ends the retries; what is being read is still shown. */
  dispose(): void {
    this.#isDisposed = true;
    for (const cancel of this.#retries) cancel();
  }

  /** Whether a release exists and has not changed since it had this signature. */
  #isCurrent(record: ReleaseRecord, signature: string): boolean {
    return record.signature === signature && this.#parts.has(record);
  }

  /** Reads a revision when its turn comes; undefined where that is not needed any more by then. Throws. */
  #unpack(
    record: ReleaseRecord,
    { revision, storage }: NewestRevision,
    signature: string,
  ): Promise<Release | undefined> {
    return this.#limiter.run(async () => {
      if (this.#isDisposed || record.signature !== signature) return undefined;
      const { namespace, name } = record;
      const transport = await this.#parts.transport();
      const stored = await readRevision(transport, { namespace, name, revision, storage });
      const basis = {
        revisions: revisionNumbers(record),
        storages: recordStorages(record),
        version: signature,
      };
      return releaseObject(stored, { namespace, name }, basis);
    });
  }

  #retryLater(record: ReleaseRecord, signature: string): void {
    const cancel = this.#parts.clock.after(retryPause, () => {
      this.#retries.delete(cancel);
      if (!this.#isCurrent(record, signature)) return;
      record.signature = undefined;
      void this.read(record);
    });
    this.#retries.add(cancel);
  }
}
