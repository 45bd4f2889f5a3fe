import { execFile } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Certificates } from './certificates.ts';

/** The parent reckons for seconds while it seeds, more on a busy machine: only a child that hangs is given up. */
const patienceMs = 300_000;

let issuedCertificates: Promise<Certificates> | undefined;

/** The certificates of this process's playgrounds, made once by a short-lived child. */
export function issueCertificates(): Promise<Certificates> {
  issuedCertificates ??= new Promise((resolve, reject) => {
    const cache = module.getCompileCacheDir();
    const env = { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) };
    const script = fileURLToPath(new URL('./certificates-main.ts', import.meta.url));
    execFile(process.execPath, [script], { env, timeout: patienceMs }, (error, stdout, stderr) => {
      // A limit that passes after the child has ended well takes its output away without an error.
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
