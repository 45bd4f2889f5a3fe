import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Envelope, signStatement, statementOf, verifyEnvelope } from './provenance.ts';

const usage = `node src/build/attest.ts sign --key KEY.pem --digest sha256:… --commit HEX --build-base sha256:… --run-base sha256:… [--builder URI] FILE
node src/build/attest.ts verify --key PUBLIC.pem --digest sha256:… FILE`;

/** Writes the signed provenance of an image to a file, or verifies one; neither asks a registry. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: 'string' },
    digest: { type: 'string' },
    commit: { type: 'string', default: '' },
    builder: { type: 'string', default: 'urn:wheelhouse:deploy/check-image' },
    'build-base': { type: 'string', default: '' },
    'run-base': { type: 'string', default: '' },
  },
});
const [mode, file] = positionals;
const { key, digest, commit, builder } = values;
if (
  (mode !== 'sign' && mode !== 'verify') ||
  file === undefined ||
  key === undefined ||
  digest === undefined
) {
  console.error(usage);
  process.exit(2);
}

try {
  if (mode === 'sign') {
    const lock = createHash('sha256')
      .update(readFileSync(resolve(import.meta.dirname, '../../package-lock.json')))
      .digest('hex');
    const bases = { BUILD_BASE: values['build-base'], RUN_BASE: values['run-base'] };
    const statement = statementOf({ name: 'wheelhouse', digest, commit, bases, lock, builder });
    writeFileSync(file, `${JSON.stringify(signStatement(statement, readFileSync(key, 'utf8')))}\n`);
  } else {
    verifyEnvelope(JSON.parse(readFileSync(file, 'utf8')) as Envelope, readFileSync(key, 'utf8'), digest);
    console.log(`The provenance of ${digest} is signed by this key.`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
