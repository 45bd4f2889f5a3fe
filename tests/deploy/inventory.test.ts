import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bom } from '../../src/build/inventory.ts';

const folders: string[] = [];
const made: { readonly bom: string; readonly notices: string }[] = [];

/** As deploy/Dockerfile does it. */
function makeInventory(): void {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-inventory-'));
  folders.push(folder);
  execFileSync(process.execPath, ['src/build/write-inventory.ts', folder]);
  made.push({
    bom: readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'),
    notices: readFileSync(join(folder, 'third-party-notices.txt'), 'utf8'),
  });
}

beforeAll(() => {
  makeInventory();
  makeInventory();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('the inventory of an image', () => {
  test('is the same each time: it has neither time nor chance in it', () => {
    expect(made[0]).toEqual(made[1]);
    expect(made[0]?.bom).not.toMatch(/timestamp|serialNumber/);
  });

  test('has every direct dependency with version and hash, the runtime and what PostgreSQL brings', () => {
    const { bomFormat, components } = JSON.parse(made[0]?.bom ?? '') as Bom;
    expect(bomFormat).toBe('CycloneDX');
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const known = new Set(
      components.map(({ name, version, hashes }) => `${name}@${version} ${hashes?.[0]?.content.length}`),
    );
    // SHA-512 as hex.
    const wanted = Object.entries(dependencies).map(([name, version]) => `${name}@${version} 128`);
    expect(wanted.filter((one) => !known.has(one))).toEqual([]);
    const names = components.map(({ name }) => name);
    expect(names).toContain('node');
    expect(names).not.toContain('vitest');
    if (process.platform === 'linux')
      expect(names).toEqual(expect.arrayContaining(['postgresql', 'libssl.so.1.1']));
    const refs = components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
  });

  test('has a notice for each package, also for what the page has of development packages', () => {
    const { components } = JSON.parse(made[0]?.bom ?? '') as Bom;
    const { notices = '' } = made[0] ?? {};
    const packaged = components.filter((one) => one.type === 'library' && one.name !== 'postgresql');
    const without = packaged.filter(({ name, version }) => !notices.includes(`\n${name} ${version} (`));
    expect(without.map(({ name }) => name)).toEqual([]);
    for (const words of ['tailwindcss 4', 'postgresql 18 (PostgreSQL)', 'UNIVERSITY OF CALIFORNIA'])
      expect(notices).toContain(words);
  });
});
