import { describe, expect, it } from 'vitest';
import {
  hiderOf,
  isTelling,
  maskEveryValue,
  maskManifest,
  maskValues,
} from '../../../src/server/objects/release/mask.ts';

const canary = 'CANARY-4711';

describe('credentials', () => {
  it.each([
    ['password', true],
    ['adminPassword', true],
    ['POSTGRES_PASSWORD', true],
    ['apiKey', true],
    ['api_key', true],
    ['secretKey', true],
    ['existingSecret', false],
    ['secretName', false],
    ['passwordSecretRef', false],
    ['tokenPath', false],
    ['replicas', false],
    ['keyboard', false],
  ])('are told by their name: %s', (name, isOne) => {
    expect(isTelling(name)).toBe(isOne);
  });

  it('are masked by their name, by the name beside them and in addresses; what is the same stays the same', () => {
    const masked = maskValues({
      auth: { username: 'shop', password: canary },
      again: { password: canary },
      env: [
        { name: 'DB_PASSWORD', value: canary },
        { name: 'COLOUR', value: 'red' },
      ],
      url: `redis://:${canary}@cache:6379`,
      secrets: { nested: { deep: canary } },
    }) as {
      auth: { username: string; password: string };
      again: { password: string };
      env: { value: string }[];
    };
    expect(JSON.stringify(masked)).not.toContain(canary);
    expect(masked.auth.username).toBe('shop');
    expect(masked.auth.password).toBe(masked.again.password);
    expect(masked.env[1]?.value).toBe('red');
  });
});

describe('a manifest', () => {
  it.each([
    ['a Secret', `kind: Secret\nstringData: { user: ${canary} }\n`],
    ['a Secret in a list', `kind: List\nitems:\n  - kind: Secret\n    data: { user: ${canary} }\n`],
    ['a list of Secrets', `kind: SecretList\nitems:\n  - data: { user: ${canary} }\n`],
    ['a document that cannot be read', `kind: Secret\nstringData: { user: ${canary}\n`],
    ['two documents on one line', `kind: ConfigMap\n--- {kind: Secret, stringData: {user: ${canary}}}\n`],
    [
      'aliases',
      `kind: Secret\nx: &a ${canary}\ndata: { user: *a }\n`.replace(
        `x: &a ${canary}`,
        `password: &a ${canary}`,
      ),
    ],
  ])('shows no value of %s', (_what, text) => {
    const shown = maskManifest(`---\n# Source: shop/a.yaml\n${text}`);
    expect(shown).not.toContain(canary);
    expect(shown).toContain('# Source: shop/a.yaml');
  });
});

describe('values that may not be seen at all', () => {
  const values = {
    host: 'db.example.org',
    port: 5432,
    tag: 'v1',
    size: '10Gi',
    isOn: true,
    deep: [{ a: canary }],
  };

  it('are masked whatever their names', () => {
    const masked = JSON.stringify(maskEveryValue(values));
    for (const value of ['db.example.org', '5432', 'v1', '10Gi', canary]) expect(masked).not.toContain(value);
    expect(masked).toContain('"port"');
  });

  it('are taken out of what quotes them; what an object is stays', () => {
    const text = `---
# Source: shop/a.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: db.example.org
  labels: { tag: v1 }
data:
  url: https://db.example.org:5432/x
  size: 10Gi
  other: untouched
`;
    const shown = maskManifest(text, hiderOf(values));
    expect(shown).toContain('name: db.example.org\n');
    expect(shown).toContain('apiVersion: v1\n');
    expect(shown).toContain('other: untouched');
    expect(shown.replace('name: db.example.org', '')).not.toMatch(/db\.example|5432|tag: v1|10Gi/);
    expect(hiderOf({}).within('as it is')).toBe('as it is');
  });
});
