import { spawn } from 'node:child_process';
import { z } from 'zod';
import { cleanText } from '../../kube/text.ts';
import type { ExecPlugin, Target } from './target.ts';

const outputLimit = 1024 * 1024;

const answerSchema = z.object({
  apiVersion: z.string(),
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().min(1).optional(),
    clientCertificateData: z.string().min(1).optional(),
    clientKeyData: z.string().min(1).optional(),
    expirationTimestamp: z.string().optional(),
  }),
});

/** The credential that a plug-in printed. */
export interface PluginCredential {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** Undefined: good until the cluster says otherwise. */
  readonly expiresAt: Date | undefined;
}

/** No credential to send: the message is a sentence, without a program's output beyond a cleaned first line. */
export class CredentialFailed extends Error {}

/**
 * Runs a credential plug-in of the operator's own file: no shell, no terminal, limited in time, without the console's
 * own secrets in its environment. What it started ends with it.
 * @param limitMs how long it may take
 * @throws CredentialFailed
 */
export async function runExecPlugin(
  plugin: ExecPlugin,
  target: Target,
  limitMs = 30_000,
): Promise<PluginCredential> {
  const name = plugin.command.split(/[\\/]/).at(-1) ?? plugin.command;
  const output = await capture(plugin, target, name, limitMs);
  const parsed = answerSchema.safeParse(parseJson(output));
  if (!parsed.success)
    throw new CredentialFailed(`The credential program ${name} printed no ExecCredential.`);
  const { apiVersion, status } = parsed.data;
  if (apiVersion !== plugin.apiVersion) {
    throw new CredentialFailed(
      `The credential program ${name} answered in ${cleanText(apiVersion).slice(0, 80)}, not in ${plugin.apiVersion}.`,
    );
  }
  if (status.token !== undefined && !/^[\x21-\x7e]+$/.test(status.token)) {
    throw new CredentialFailed(`The credential program ${name} printed a token that cannot be sent.`);
  }
  if ((status.clientCertificateData === undefined) !== (status.clientKeyData === undefined)) {
    throw new CredentialFailed(
      `The credential program ${name} printed a certificate without a key, or a key without a certificate.`,
    );
  }
  if (status.token === undefined && status.clientCertificateData === undefined) {
    throw new CredentialFailed(`The credential program ${name} printed neither a token nor a certificate.`);
  }
  const end = status.expirationTimestamp === undefined ? undefined : new Date(status.expirationTimestamp);
  return {
    token: status.token,
    certificate: status.clientCertificateData,
    key: status.clientKeyData,
    expiresAt: end === undefined || Number.isNaN(end.getTime()) ? undefined : end,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function capture(plugin: ExecPlugin, target: Target, name: string, limitMs: number): Promise<string> {
  const info = {
    apiVersion: plugin.apiVersion,
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(plugin.provideClusterInfo
        ? {
            cluster: {
              server: target.server,
              'tls-server-name': target.tlsServerName,
              'certificate-authority-data':
                target.ca === undefined ? undefined : Buffer.from(target.ca).toString('base64'),
            },
          }
        : {}),
    },
  };
  return new Promise((resolve, reject) => {
    // A group of its own, so that what the program started ends with it.
    const child = spawn(plugin.command, [...plugin.args], {
      shell: false,
      windowsHide: true,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...ownEnvironment(), ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    });
    let isOver = false;
    const settle = (act: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      killGroup(child.pid);
      act();
    };
    const fail = (sentence: string) => settle(() => reject(new CredentialFailed(sentence)));
    const timer = setTimeout(
      () => fail(`The credential program ${name} did not finish within ${limitMs / 1000} s.`),
      limitMs,
    );
    const output: Buffer[] = [];
    const complaint: Buffer[] = [];
    let size = 0;
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size > outputLimit) fail(`The credential program ${name} printed more than 1 MB.`);
      else into.push(chunk);
    };
    child.stdout.on('data', collect(output));
    child.stderr.on('data', collect(complaint));
    child.on('error', (error: NodeJS.ErrnoException) => {
      const hint = plugin.installHint === undefined ? '' : ` ${firstLine(plugin.installHint)}`;
      fail(
        error.code === 'ENOENT'
          ? `The credential program ${name} is not installed on the console's server.${hint}`
          : `The credential program ${name} could not be started (${error.code ?? 'unknown error'}).`,
      );
    });
    child.on('close', (code) => {
      if (code === 0) settle(() => resolve(Buffer.concat(output).toString('utf8')));
      else {
        const said = firstLine(Buffer.concat(complaint).toString('utf8'));
        fail(`The credential program ${name} failed${said === '' ? '.' : `: ${said}`}`);
      }
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended: the usual case.
  }
}

/** First line for people: cleaned, at most 200 characters, anything that looks like a credential left out. */
function firstLine(text: string): string {
  const line = cleanText(text.trim().split(/\r?\n/)[0] ?? '').replace(/\s+/g, ' ');
  return line.replace(/[A-Za-z0-9+/_.=-]{40,}/g, '…').slice(0, 200);
}

/** The server's environment without the console's own secrets. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^(WHEELHOUSE_|PG|OTEL_|DATABASE_URL$)/.test(key)),
  );
}
