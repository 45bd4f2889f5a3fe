import { readFileSync } from 'node:fs';
import { ensurePage } from '../../../../src/server/boot/page-build.ts';

// A program that makes sure of the page as a server's start does, and says what it holds afterwards. Its argument is the
// folder for builds.
const { pageDir } = await ensurePage((sentence) => console.log(sentence), process.argv[2]);
const isLinux = process.platform === 'linux';
const mapped = isLinux ? readFileSync('/proc/self/maps', 'utf8') : '';
// Linux counts in maxRSS what the process held that started this one.
const peak = isLinux ? /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] : undefined;
console.log(
  JSON.stringify({
    pageDir,
    bundlers: mapped.match(/node_modules\/\S*(?:rolldown|vite|lightningcss|tailwindcss|oxide)\S*/g) ?? [],
    peakMegabytes: Math.round(Number(peak ?? process.resourceUsage().maxRSS) / 1024),
  }),
);
