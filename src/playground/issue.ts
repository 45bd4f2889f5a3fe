import { execFile } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Certificates } from './certificates.ts';

/**
 * Timeout of the child, ms: far above what it takes while the parent seeds on a busy machine, so that only a hang
 * is ended.
 */
const patienceMs = 300_000;

let issuedCertificates: Promise<Certificates> | undefined;

/** The certificates of this process's playgrounds, generated once by a short-lived child process. */
export function issueCertificates(): Promise<Certificates> {
  issuedCertificates ??= new Promise((resolve, reject) => {
    const cache = module.getCompileCacheDir();
    const env = { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) };
    const script = fileURLToPath(new URL('./certificates-main.ts', import.meta.url));
    execFile(process.execPath, [script], { env, timeout: patienceMs }, (error, stdout, stderr) => {
      // If the timeout passes after the child has ended, the output is empty without an error.
      if (error === null && stdout !== '') resolve(JSON.parse(stdout) as Certificates);
      else
        reject(
          new Error(
            `The playground's certificates could not be made: ${stderr || (error?.message ?? 'it took too long')}`,
          ),
        );
    });
  });
  return issuedCertificates;
}
