import { Problem } from '../../contract/problem.ts';
import type { Manifest } from '../../kube/manifest.ts';
import { besideTurn } from '../kit/turns.ts';
import { type Asker, callerLeft, createAdmission } from './admission.ts';
import { type ParseThread, startParseThread } from './parse-thread.ts';

/** Limits of one text. */
interface TextLimits {
  /** How long it may take, ms. */
  readonly ms: number;
  /** Real manifests have about one token for three characters. */
  readonly tokens: number;
}

/** Drafts are only scanned for Secrets, and no caller waits for it. */
export const textLimits = {
  call: { ms: 10_000, tokens: 1_000_000 },
  draft: { ms: 2_000, tokens: 250_000 },
} as const;

/** Parses texts of people in a thread of its own, in fair turns: a text that takes long delays no other person. */
export interface ManifestParser {
  /**
   * Throws Problem 400 for a text that takes too long, has too many tokens or needs too much memory, 429 or 503 when too
   * many wait, 499 when the caller left.
   */
  parse(text: string, asker: Asker): Promise<Manifest>;
  close(): Promise<void>;
}

/** @param limits what one text may take: `textLimits` without it */
export function createManifestParser(
  limits: Readonly<Record<'call' | 'draft', TextLimits>> = textLimits,
): ManifestParser {
  const admission = createAdmission();
  let thread: ParseThread | undefined;

  const end = async () => {
    const ended = thread;
    thread = undefined;
    await ended?.end();
  };

  const parse = async (text: string, { ms, tokens }: TextLimits, signal: AbortSignal): Promise<Manifest> => {
    thread ??= startParseThread();
    await thread.ready;
    const given = Promise.withResolvers<'late' | 'left'>();
    const timer = setTimeout(() => given.resolve('late'), ms);
    const leave = () => given.resolve('left');
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const answer = await Promise.race([thread.ask({ text, tokens }), given.promise]);
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    if (typeof answer === 'object') {
      if (answer.type === 'parsed') return answer.manifest;
      throw refused(
        `This text has more than ${tokens.toLocaleString('en')} tokens, more than this console parses.`,
      );
    }
    // It is still at it, or dead.
    await end();
    if (answer === 'left') throw callerLeft();
    throw refused(
      answer === 'late'
        ? `This text takes more than ${Math.round(ms / 1000)} s to parse.`
        : 'This text needs more memory to parse than is available.',
    );
  };

  return {
    parse: (text, asker) =>
      besideTurn(() =>
        admission.run(asker, text.length, () =>
          parse(text, limits[asker.isDraft ? 'draft' : 'call'], asker.signal),
        ),
      ),
    close: end,
  };
}

function refused(reason: string): Problem {
  return new Problem({ status: 400, title: `${reason} Split it, or use kubectl.` });
}
