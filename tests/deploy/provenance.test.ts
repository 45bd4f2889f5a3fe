import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Envelope,
  signedBytes,
  signStatement,
  statementOf,
  verifyEnvelope,
} from '../../src/build/provenance.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const other = `sha256:${'b'.repeat(64)}`;
const build = {
  name: 'wheelhouse',
  digest,
  commit: 'c'.repeat(40),
  bases: { BUILD_BASE: other, RUN_BASE: other },
  lock: 'd'.repeat(64),
  builder: 'urn:test',
};
const newKeys = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const keys = newKeys();
let folder: string;
const inFolder = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-provenance-'));
  writeFileSync(inFolder('key.pem'), keys.privateKey);
  writeFileSync(inFolder('public.pem'), keys.publicKey);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the same build has the same provenance, and names sources, lock file and bases by their digests', () => {
  expect(statementOf(build)).toEqual(statementOf({ ...build }));
  const text = JSON.stringify(statementOf(build));
  for (const part of [build.commit, build.lock, 'a'.repeat(64), 'b'.repeat(64)]) expect(text).toContain(part);
  expect(() => statementOf({ ...build, bases: { RUN_BASE: 'latest' } })).toThrow('no digest');
});

test('a signature holds for its image and key alone', () => {
  const envelope = signStatement(statementOf(build), keys.privateKey);
  expect(verifyEnvelope(envelope, keys.publicKey, digest)).toEqual(statementOf(build));
  expect(() => verifyEnvelope(envelope, keys.publicKey, other)).toThrow('another image');
  expect(() => verifyEnvelope(envelope, newKeys().publicKey, digest)).toThrow('not signed');
  const forged = Buffer.from(JSON.stringify(statementOf({ ...build, digest: other }))).toString('base64');
  expect(() => verifyEnvelope({ ...envelope, payload: forged }, keys.publicKey, other)).toThrow('not signed');
  expect(() => verifyEnvelope({ ...envelope, payloadType: 'text/plain' }, keys.publicKey, digest)).toThrow();
  expect(() => verifyEnvelope({ ...envelope, signatures: [] }, keys.publicKey, digest)).toThrow('not signed');
});

test('openssl, which knows nothing of this code, verifies the signature of the envelope', () => {
  const envelope = signStatement(statementOf(build), keys.privateKey);
  const payload = Buffer.from(envelope.payload, 'base64');
  writeFileSync(inFolder('bytes'), signedBytes(envelope.payloadType, payload));
  writeFileSync(inFolder('sig'), Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'));
  const parameters = ['dgst', '-sha256', '-verify', inFolder('public.pem'), '-signature', inFolder('sig')];
  expect(execFileSync('openssl', [...parameters, inFolder('bytes')], { encoding: 'utf8' })).toContain('OK');
});

test('the step of the build signs and verifies by files alone', () => {
  const attest = (...parameters: readonly string[]) =>
    spawnSync(process.execPath, ['src/build/attest.ts', ...parameters], { encoding: 'utf8' });
  const file = inFolder('wheelhouse.intoto.json');
  const sources = ['--commit', build.commit, '--build-base', other, '--run-base', other];
  const signed = attest('sign', '--key', inFolder('key.pem'), '--digest', digest, ...sources, file);
  expect([signed.status, signed.stderr]).toEqual([0, '']);
  expect((JSON.parse(readFileSync(file, 'utf8')) as Envelope).payloadType).toBe(
    'application/vnd.in-toto+json',
  );
  const verify = (of: string) => attest('verify', '--key', inFolder('public.pem'), '--digest', of, file);
  expect(verify(digest).status).toBe(0);
  expect([verify(other).status, verify(other).stderr]).toEqual([1, expect.stringContaining('another image')]);
  expect(attest('sign', file).status).toBe(2);
});
