import { readFileSync } from 'node:fs';
import { ensurePage } from '../../../../src/server/boot/page-build.ts';

// A program that makes sure of the page as a server's start does, and says what it holds afterwards. Its argument is the
// folder for builds.
const { pageDir } = await ensurePage((sentence) => console.log(sentence), process.argv[2]);
const mapped = process.platform === 'linux' ? readFileSync('/proc/self/maps', 'utf8') : '';
console.log(
  JSON.stringify({
    pageDir,
    bundlers: mapped.match(/node_modules\/\S*(?:rolldown|vite|lightningcss|tailwindcss|oxide)\S*/g) ?? [],
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
);
