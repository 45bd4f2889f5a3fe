import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { Problem } from '../../contract/problem.ts';
import type { ReplayMessage } from '../../contract/recordings.ts';
import { Attendance } from '../access/attendance.ts';
import type { OpenRights } from '../access/open-rights.ts';
import { actorOf, type Member } from '../access/person.ts';
import type { Audit } from '../audit/audit.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { readParts, type StoredRecording } from './reading.ts';

export interface ReplaysOptions {
  readonly rights: OpenRights;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly vault: Vault;
  readonly audit: Audit;
  readonly log: Logger;
}

/** A replay that somebody asks for; they were found to be an Owner a moment ago. */
export interface ReplayOpening {
  readonly person: Member;
  readonly recording: StoredRecording;
  readonly address: string;
  readonly requestId: string;
}

/** What the audit says of a recording that somebody looks into. */
export const recordingSubject = ({ about }: StoredRecording) => ({
  recording: about.id,
  namespace: about.namespace,
  name: about.name,
  of: about.actor,
});

/** Lets nobody through while it is closed. */
class Gate {
  #isOpen = false;
  #waiting: (() => void)[] = [];

  shut(): void {
    this.#isOpen = false;
  }

  open(): void {
    this.#isOpen = true;
    for (const go of this.#waiting.splice(0)) go();
  }

  async passed(): Promise<void> {
    while (!this.#isOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Every open replay: each ends at once when its person is no Owner any more, or signed out. */
export class Replays {
  readonly #options: ReplaysOptions;
  readonly #attendance: Attendance;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: ReplaysOptions) {
    this.#options = options;
    this.#attendance = new Attendance('replays', options);
  }

  /** Sends a recording over a socket, as fast as the page takes it, and stays with the page until it leaves. */
  serve(socket: WebSocket, opening: ReplayOpening): void {
    const gate = new Gate();
    const leaving = new AbortController();
    const send = (message: ReplayMessage) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    };
    const attended = this.#attendance.attend(socket, {
      person: opening.person,
      // Its cluster may be gone.
      clusterId: null,
      needs: [],
      hold: () => gate.shut(),
      release: () => gate.open(),
      denied: (title) => send({ type: 'ended', title }),
      over() {
        leaving.abort();
        gate.open();
      },
    });
    const show = async (text: string) => {
      await gate.passed();
      if (leaving.signal.aborted) return;
      await new Promise<void>((resolve) => {
        socket.send(Buffer.from(text), { binary: true, compress: text.length > 1024 }, () => resolve());
      });
    };
    const run = this.#run(opening, { send, show, signal: leaving.signal })
      .catch((error: unknown) => {
        send({ type: 'ended', title: this.#titleOf(error, opening) });
        attended.close(1000, '');
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async close(): Promise<void> {
    await this.#attendance.close();
    await Promise.all(this.#running);
  }

  /** Sends all of it, then waits for the end, with a row in the audit. Throws what the reading throws. */
  async #run({ person, recording, address, requestId }: ReplayOpening, page: ReplayPage): Promise<void> {
    const row = await this.#options.audit.begin({
      companyId: person.companyId,
      userId: person.id,
      actor: actorOf(person),
      action: 'recording.replay',
      clusterId: recording.about.clusterId,
      subject: recordingSubject(recording),
      address,
      requestId,
    });
    let status = 500;
    try {
      page.send({ type: 'about', recording: recording.about });
      for await (const text of readParts(this.#options, recording)) {
        await page.show(text);
        if (page.signal.aborted) break;
      }
      status = 200;
      page.send({ type: 'complete' });
    } finally {
      await row.finish(status);
    }
  }

  /** Why it ends, for the page; what is not told there is logged. */
  #titleOf(error: unknown, { recording }: ReplayOpening): string {
    if (error instanceof Problem && error.status < 500) return error.title;
    this.#options.log.error(
      { err: error, recordingId: recording.about.id },
      'A recording could not be replayed',
    );
    return error instanceof Problem
      ? error.title
      : 'This console failed to read the recording. Try again; if it happens again, ask the operator, who finds the reason in its log.';
  }
}

/** The page's end of a replay. */
interface ReplayPage {
  send(message: ReplayMessage): void;
  /** Resolves once the page took it, or left. */
  show(text: string): Promise<void>;
  /** Aborted when the page is gone or may no longer. */
  readonly signal: AbortSignal;
}
