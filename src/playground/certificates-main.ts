import { makeCertificates } from './certificates.ts';

// A process of its own, for a moment: the library that writes certificates needs more memory than all the rest.
process.stdout.write(JSON.stringify(await makeCertificates(Date.now())));
