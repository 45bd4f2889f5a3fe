import { makeCertificates } from './certificates.ts';

// Runs as a short-lived process of its own, since the certificate library needs more memory than the playground.
process.stdout.write(JSON.stringify(await makeCertificates(Date.now())));
