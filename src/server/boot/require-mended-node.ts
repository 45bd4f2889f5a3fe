import { nodeWarning } from '../kit/node-versions.ts';

/** Run by the image's build in both of its bases: none with known vulnerabilities of Node becomes a part of an image. */
const warning = nodeWarning(process.versions.node, new Date().toISOString().slice(0, 10));
if (warning !== undefined) {
  console.error(warning);
  process.exit(1);
}
