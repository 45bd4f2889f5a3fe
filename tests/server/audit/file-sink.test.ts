import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFileSink, type StreamRow } from '../../../src/server/streams/sinks.ts';

it('keeps the lines of chains apart that are written at the same time, however long they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-audit-'));
  const path = join(folder, 'audit.jsonl');
  const sink = createFileSink(path);
  const lines = Array.from({ length: 12 }, (_, chain) => `${String(chain).repeat(2_000_000)}\n`);
  try {
    const delivered = await Promise.all(
      lines.map((text, chain) =>
        sink.deliver(
          {} as StreamRow,
          { text, end: { chain, position: 1, hash: null }, gap: null },
          AbortSignal.abort(),
        ),
      ),
    );
    expect(delivered).toEqual(lines.map(() => ({ problem: null })));
    const written = await readFile(path, 'utf8');
    // Compared as one value: a difference of such texts takes a minute to print.
    expect(
      written
        .split(/(?<=\n)/)
        .toSorted()
        .join('') === lines.toSorted().join(''),
    ).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
