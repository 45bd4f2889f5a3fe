import { randomBytes } from 'node:crypto';
import type { ServerHttp2Stream } from 'node:http2';
import type { Clock } from '../kit/clock.ts';
import type { Tapped } from '../live/feed/audience.ts';
import type { Feed } from '../live/feed/feed.ts';
import type { Entry } from '../live/source/projector.ts';
import { answerWith } from './peer-listener.ts';

const limits = {
  /** Changes that are kept for watches that resume. */
  changes: 5_000,
  characters: 4_000_000,
  /** Maximum number of entries on one page. */
  page: 2_000,
  /** A list waits this long for its first reading, ms. */
  ready: 5_000,
  /** The pages of a list are kept for this long, ms. */
  pages: 60_000,
  /** A watch gets a line at least this often, ms. */
  bookmark: 30_000,
  /** A server that is behind by more than this asks again, bytes. */
  backlog: 8 * 1024 * 1024,
  /** A feed that no server asks for is left after this, ms. */
  unused: 60_000,
} as const;

/** Entries as one page after the other gives them. */
interface Pages {
  readonly version: string;
  readonly items: readonly Entry[];
}

/** One feed as other servers read it: its entries page by page, and what changed since, by number. */
export class ServedFeed {
  readonly feed: Feed;
  readonly #mark: string;
  readonly #clock: Clock;
  readonly #onUnused: () => void;
  readonly #tapped: Tapped;
  /** Versions of another life of the feed mean nothing to this one. */
  readonly #life = randomBytes(6).toString('hex');
  #number = 0;
  /** The last changes as lines; the newest has the present number. */
  #changes: string[] = [];
  #characters = 0;
  readonly #watches = new Set<ServerHttp2Stream>();
  readonly #pages = new Map<string, Pages>();
  readonly #waiting = new Set<() => void>();
  readonly #cancels = new Set<() => void>();
  #usedAt: number;
  #isEnded = false;

  /** @param mark the member of an object that has its entry */
  constructor(feed: Feed, mark: string, { clock, onUnused }: { clock: Clock; onUnused: () => void }) {
    this.feed = feed;
    this.#mark = mark;
    this.#clock = clock;
    this.#onUnused = onUnused;
    this.#usedAt = clock.now();
    this.#tapped = feed.tap({
      changed: (entry, previous) => this.#change(entry, previous),
      touched: (entry) => this.#add('MODIFIED', entry, entry.version),
      settled: () => this.#settle(),
      ended: () => this.end(),
    });
    this.#every(limits.bookmark, () => this.#keep());
  }

  /** Waits until the list was read. Whether it is whole and true at this moment: else each server reads by itself. */
  async isCurrent(): Promise<boolean> {
    this.#usedAt = this.#clock.now();
    if (this.#isLoading() && !this.#isEnded)
      await new Promise<void>((resolve) => {
        const done = () => {
          cancel();
          this.#waiting.delete(done);
          resolve();
        };
        const cancel = this.#clock.after(limits.ready, done);
        this.#waiting.add(done);
      });
    return this.#isCurrent();
  }

  /** Answers with one page of the entries. @param token of the page before; null for the first */
  list(stream: ServerHttp2Stream, limit: number, token: string | null): void {
    const [id, at] = token?.split('.') ?? [this.#takePages(), '0'];
    const pages = this.#pages.get(id ?? '');
    if (pages === undefined) {
      answerWith(stream, 410);
      return;
    }
    const from = Number(at);
    const to = from + Math.min(Math.max(1, limit), limits.page);
    const rest = to < pages.items.length ? `${id}.${to}` : undefined;
    if (rest === undefined) this.#pages.delete(id ?? '');
    answerWith(stream, 200, {
      metadata: { resourceVersion: pages.version, ...(rest === undefined ? {} : { continue: rest }) },
      items: pages.items.slice(from, to).map((entry) => this.#object(entry, entry)),
    });
  }

  /** Sends what changed since a version, and goes on with what changes. */
  watch(stream: ServerHttp2Stream, version: string): void {
    const [life, number] = version.split('.');
    const missed = this.#number - Number(number);
    if (life !== this.#life || !(missed >= 0 && missed <= this.#changes.length)) {
      answerWith(stream, 410);
      return;
    }
    stream.respond({ ':status': 200 });
    this.#watches.add(stream);
    stream.once('close', () => {
      this.#watches.delete(stream);
      this.#usedAt = this.#clock.now();
    });
    stream.write(missed === 0 ? '\n' : this.#changes.slice(-missed).join(''));
  }

  /** Ends every watch: who reads it reads by itself, or asks another server. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const cancel of this.#cancels) cancel();
    for (const watch of this.#watches) watch.end();
    for (const done of this.#waiting) done();
    this.#pages.clear();
    this.#tapped.leave();
    this.#onUnused();
  }

  /** Whether its first list or the first watch after that is under way. */
  #isLoading(): boolean {
    return this.#tapped.state.status === 'loading';
  }

  #isCurrent(): boolean {
    return !this.#isEnded && this.#tapped.state.status === 'live' && this.#tapped.isWhole('');
  }

  #change(entry: Entry | undefined, previous: Entry | undefined): void {
    if (entry !== undefined) this.#add(previous === undefined ? 'ADDED' : 'MODIFIED', entry, entry);
    else if (previous !== undefined) this.#add('DELETED', previous, undefined);
  }

  #add(type: string, entry: Entry, carried: Entry | string | undefined): void {
    this.#number += 1;
    const line = `${JSON.stringify({ type, object: this.#object(entry, carried, this.#version()) })}\n`;
    this.#changes.push(line);
    this.#characters += line.length;
    while (this.#changes.length > limits.changes || this.#characters > limits.characters)
      this.#characters -= this.#changes.shift()?.length ?? 0;
    for (const watch of this.#watches) this.#send(watch, line);
  }

  #send(watch: ServerHttp2Stream, line: string): void {
    watch.write(line);
    if (watch.writableLength > limits.backlog) watch.destroy();
  }

  #version(): string {
    return `${this.#life}.${this.#number}`;
  }

  #object({ uid, name, namespace }: Entry, carried: Entry | string | undefined, version?: string): object {
    return { metadata: { uid, name, namespace, resourceVersion: version }, [this.#mark]: carried };
  }

  #takePages(): string {
    const id = randomBytes(6).toString('hex');
    this.#pages.set(id, { version: this.#version(), items: [...this.#tapped.entries()] });
    const cancel = this.#clock.after(limits.pages, () => {
      this.#cancels.delete(cancel);
      this.#pages.delete(id);
    });
    this.#cancels.add(cancel);
    return id;
  }

  #settle(): void {
    if (!this.#isLoading()) for (const done of this.#waiting) done();
    // What is not true any more is not called live by other servers either.
    if (!this.#isCurrent()) {
      for (const watch of this.#watches) watch.end();
      this.#watches.clear();
    }
  }

  #keep(): void {
    const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: this.#version() } } };
    for (const watch of this.#watches) this.#send(watch, `${JSON.stringify(bookmark)}\n`);
    if (this.#watches.size === 0 && this.#clock.now() - this.#usedAt >= limits.unused) this.end();
  }

  #every(ms: number, run: () => void): void {
    const cancel = this.#clock.after(ms, () => {
      this.#cancels.delete(cancel);
      run();
      if (!this.#isEnded) this.#every(ms, run);
    });
    this.#cancels.add(cancel);
  }
}
