import { readFile } from 'node:fs/promises';
import { CredentialFailed, runExecPlugin } from './exec-plugin.ts';
import type { Target } from './target.ts';
import { type Clock, systemClock } from '../kit/clock.ts';

/** The credential that a connection sends now. */
export interface LiveCredential {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** Where the credential of a connection comes from: fixed, a file that is rewritten, or a program. */
export interface CredentialSource {
  /** Throws CredentialFailed. */
  get(): Promise<LiveCredential>;
  /** The cluster rejected what `get` gave. True when asking again may give another one. */
  rejected(credential: LiveCredential): boolean;
}

const fileAgeMs = 60_000;
/** A credential this close to its end is not used any more. */
const marginMs = 10_000;

/** The source of the credential of a cluster. */
export function createCredentialSource(target: Target, clock: Clock = systemClock): CredentialSource {
  const { token, certificate, key, tokenFile, exec } = target.credential;
  if (exec !== undefined) {
    return cached(clock, async () => {
      const given = await runExecPlugin(exec, target);
      return {
        credential: {
          token: given.token ?? token,
          certificate: given.certificate ?? certificate,
          key: given.key ?? key,
        },
        until:
          given.expiresAt === undefined ? Number.POSITIVE_INFINITY : given.expiresAt.getTime() - marginMs,
      };
    });
  }
  if (tokenFile !== undefined) {
    return cached(clock, async () => ({
      credential: { token: await readToken(tokenFile), certificate, key },
      until: clock.now() + fileAgeMs,
    }));
  }
  const fixed = Promise.resolve({ token, certificate, key });
  return { get: () => fixed, rejected: () => false };
}

/** Keeps what `load` gave until its end; callers at the same time share one load. */
function cached(
  clock: Clock,
  load: () => Promise<{ credential: LiveCredential; until: number }>,
): CredentialSource {
  let held: { credential: LiveCredential; until: number } | undefined;
  let loading: Promise<LiveCredential> | undefined;
  return {
    get() {
      if (held !== undefined && held.until > clock.now()) return Promise.resolve(held.credential);
      loading ??= load()
        .then((loaded) => {
          held = loaded;
          return loaded.credential;
        })
        .finally(() => {
          loading = undefined;
        });
      return loading;
    },
    rejected(credential) {
      // Several requests may come back rejected at once: only the first of them forgets.
      if (held?.credential === credential) held = undefined;
      return true;
    },
  };
}

async function readToken(file: string): Promise<string> {
  const token = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      throw new CredentialFailed(`The token file of its kubeconfig cannot be read (${code}).`, {
        cause: error,
      });
    },
  );
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CredentialFailed('The token file of its kubeconfig is empty.');
  }
  return token;
}
