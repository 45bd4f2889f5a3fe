import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(resolve(root, file), 'utf8');

/** An instruction of a Dockerfile with its lines joined. */
interface Instruction {
  readonly name: string;
  readonly value: string;
}

const instructions: readonly Instruction[] = textOf('deploy/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ name: line.split(' ', 1)[0] ?? '', value: line.slice(line.indexOf(' ') + 1) }));
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const valuesOf = (name: string, among = instructions): string[] =>
  among.filter((one) => one.name === name).map(({ value }) => value);

describe('the image', () => {
  test('is built on bases that its builder names, with their digests', () => {
    expect(valuesOf('ARG')).toEqual(['BUILD_BASE', 'RUN_BASE']);
    expect(valuesOf('FROM')).toEqual(['${BUILD_BASE} AS build', '${RUN_BASE}']);
  });

  test('runs as a user by number, who owns nothing but /data and /tmp', () => {
    expect(valuesOf('USER', last)).toEqual(['65532:65532']);
    expect(valuesOf('COPY', last)).toEqual([
      '--from=build /app /app',
      '--from=build --chown=65532:65532 /empty/ /',
    ]);
    expect(valuesOf('VOLUME', last)).toEqual(['["/data", "/tmp"]']);
  });

  test('needs no shell to run: in its last stage Node alone is run, and it starts Node itself', () => {
    for (const command of valuesOf('RUN', last))
      expect(JSON.parse(command)).toEqual(['node', expect.any(String)]);
    const [entry = ''] = valuesOf('ENTRYPOINT', last);
    expect(JSON.parse(entry)).toEqual(['node', ...startOptions(), 'src/server/start.mjs']);
  });

  test('is told to stop as the server expects it', () => {
    expect(valuesOf('STOPSIGNAL', last)).toEqual(['SIGTERM']);
  });

  test('brings only packages of the lock file, and runs no script of theirs', () => {
    const installs = valuesOf('RUN').filter((value) => value.includes('npm '));
    for (const install of installs.flatMap((value) => value.match(/npm (?:ci|install)[^&]*/g) ?? []))
      expect(install).toMatch(/^npm ci .*--ignore-scripts/);
    expect(valuesOf('ADD')).toEqual([]);
  });

  test('is made of the product alone: neither tests nor what lies in a checkout by chance', () => {
    const taken = textOf('.dockerignore').split('\n');
    expect(taken).toContain('*');
    expect(taken.filter((line) => line.startsWith('!')).toSorted()).toEqual(
      [
        '!.npmrc',
        '!LICENSE',
        '!commands',
        '!index.html',
        '!package-lock.json',
        '!package.json',
        '!src',
        '!tsconfig.json',
        '!vite.config.ts',
      ].toSorted(),
    );
  });
});

/** The options of Node that `npm start` gives. */
function startOptions(): readonly string[] {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: { readonly start: string } };
  return scripts.start.split(' ').filter((part) => part.startsWith('--'));
}

describe('`npm run image`', () => {
  let checkout: string;
  beforeAll(() => {
    checkout = mkdtempSync(join(tmpdir(), 'wheelhouse-image-'));
    for (const folder of ['deploy', 'src', 'tools']) mkdirSync(join(checkout, folder));
    for (const file of ['deploy/check-image', '.dockerignore'])
      copyFileSync(resolve(root, file), join(checkout, file));
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.org', ...words], {
        cwd: checkout,
      });
    git('init', '--quiet');
    git('add', 'deploy', '.dockerignore');
    git('commit', '--quiet', '--message', 'A checkout');
  });
  afterAll(() => rmSync(checkout, { recursive: true }));

  const run = (env: Readonly<Record<string, string>>) => {
    const { status, stdout } = spawnSync('/bin/bash', ['deploy/check-image'], {
      cwd: checkout,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    return { status, stdout };
  };

  test('names the tools that it lacks before it begins', () => {
    const tools = join(checkout, 'tools');
    for (const tool of ['dirname', 'git']) {
      const path = execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
      symlinkSync(path, join(tools, tool));
    }
    const bases = { BUILD_BASE: 'a', RUN_BASE: 'b' };
    expect(run({ PATH: tools, ...bases, BUILDAH: 'git --version' })).toEqual({
      status: 1,
      stdout:
        'The image was not built: curl openssl must be installed first. Debian and Ubuntu have them as packages.\n',
    });
    expect(run({ PATH: tools }).stdout).toContain('curl openssl buildah mmdebstrap must be installed first.');
  });

  test('looks at the files of a mirror before it begins', () => {
    const env = { BUILD_BASE: 'a', RUN_BASE: 'b', BUILDAH: 'git' };
    const [ca, npmrc] = [join(checkout, 'ca.pem'), join(checkout, 'npmrc')];
    expect(run({ ...env, NPMRC: npmrc }).stdout).toContain(`NPMRC names ${npmrc}, which cannot be read.`);
    expect(run({ ...env, CA_FILE: ca }).stdout).toContain(`CA_FILE names ${ca}, which cannot be read.`);
    writeFileSync(ca, 'no certificate');
    expect(run({ ...env, CA_FILE: ca }).stdout).toContain('holds no certificate in PEM');
    writeFileSync(ca, '-----BEGIN CERTIFICATE-----');
    const needed = 'only if the file in NPMRC has the line cafile=/etc/ssl/certs/ca-certificates.crt';
    expect(run({ ...env, CA_FILE: ca }).stdout).toContain(needed);
    writeFileSync(npmrc, 'registry=https://npm.example.org/\n');
    expect(run({ ...env, CA_FILE: ca, NPMRC: npmrc }).stdout).toContain(needed);
    writeFileSync(npmrc, 'cafile=/etc/ssl/certs/ca-certificates.crt\n');
    expect(run({ ...env, CA_FILE: ca, NPMRC: npmrc }).stdout).not.toMatch(/CA_FILE|NPMRC/);
  });

  test('signs no provenance of a commit that the image is not made of', () => {
    const refused = 'there are changes that are not committed';
    const env = { BUILD_BASE: 'a', RUN_BASE: 'b', BUILDAH: 'git' };
    const signed = { ...env, SIGNING_KEY: 'key.pem' };
    // Of no part of the image.
    writeFileSync(join(checkout, 'key.pem'), '');
    expect(run(signed).stdout).not.toContain(refused);
    writeFileSync(join(checkout, 'src/changed.ts'), '');
    expect(run(signed)).toEqual({ status: 1, stdout: expect.stringContaining(refused) });
    expect(run(env).stdout).not.toContain(refused);
  });
});
