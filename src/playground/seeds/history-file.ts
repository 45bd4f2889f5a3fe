import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import type { Clock } from '../kit/clock.ts';
import type { History } from './history.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'node_modules/.cache/wheelhouse/histories');

/** Age up to which a saved past is continued, ms: playing that takes a tenth of the time of playing it all. */
const maxAge = 20 * 60_000;
/** Age from which saved pasts are removed, ms. */
const lifetime = 24 * 3_600_000;

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest();
const hashLength = 32;

/** Options that determine a past, beside the sources. */
interface Dependencies {
  readonly chance?: number;
  readonly name?: string;
  readonly controllers?: boolean;
  readonly activity?: boolean;
  /** One other than the machine's has a past of its own at each of its times. */
  readonly clock?: Clock;
}

/**
 * The file in which the company's past with these options is saved. It is named by all the sources, so that none
 * outlives a change of them. Clusters with different options have different pasts, as they are shown side by side.
 */
export function historyFile({
  chance,
  name,
  controllers,
  activity,
  clock,
}: Dependencies): string | undefined {
  const hash = createHash('sha256');
  try {
    for (const source of ['src/playground', 'src/kube']) {
      for (const file of readdirSync(join(root, source), { recursive: true, encoding: 'utf8' }).sort())
        if (/\.(ts|json)$/.test(file))
          hash.update(`${file}\n`).update(readFileSync(join(root, source, file)));
    }
    // The versions of all packages.
    hash.update(readFileSync(join(root, 'package.json')));
  } catch {
    return undefined;
  }
  hash.update(JSON.stringify([process.version, chance, name, controllers, activity, clock?.now()]));
  return join(folder, hash.digest('hex'));
}

/** The past in a file; undefined when there is none, it is damaged, or does not end shortly before a time (ms). */
export function readHistory(file: string, now: number): History | undefined {
  try {
    const saved = readFileSync(file);
    const content = saved.subarray(hashLength);
    if (!hashOf(content).equals(saved.subarray(0, hashLength))) return undefined;
    const history = deserialize(content) as History;
    return history.now <= now && now - history.now <= maxAge ? history : undefined;
  } catch {
    return undefined;
  }
}

/** Saves a past, and removes old ones. Where that fails, the next playground plays its past again. */
export function writeHistory(file: string, history: History): void {
  const content = serialize(history);
  const part = `${file}.${process.pid}`;
  const place = dirname(file);
  try {
    mkdirSync(place, { recursive: true });
    writeFileSync(part, Buffer.concat([hashOf(content), content]), { mode: 0o600 });
    renameSync(part, file);
    for (const name of readdirSync(place)) {
      const other = join(place, name);
      const written = statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Date.now() - written > lifetime) rmSync(other, { force: true });
    }
  } catch {
    // A folder that may not be written to costs time, and nothing else.
  }
}
