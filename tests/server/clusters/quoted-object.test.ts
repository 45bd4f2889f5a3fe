import { describe, expect, it } from 'vitest';
import { withoutObject } from '../../../src/server/clusters/quoted-object.ts';

const refusal = (object: string, reason: string) =>
  ` "" is invalid: patch: Invalid value: ${JSON.stringify(object)}: ${reason}`;

describe('a refusal that quotes a whole object', () => {
  it.each([
    ['{"kind":"Secret","data":{"a":"CANARY"}}', 'strict decoding error: unknown field "spec.bogus"'],
    [
      String.raw`{"a":"CANARY\\\": \" \\\\"}`,
      'json: cannot unmarshal string into Go struct field A.b of type bool',
    ],
    ['', 'no kind'],
  ])('is told without it: %j', (object, reason) => {
    expect(withoutObject(refusal(object, reason))).toBe(
      `The cluster cannot decode the changed object: ${reason}`,
    );
  });

  it('is reported without any of its words if the quote does not end', () => {
    const cut = refusal(`{"data":{"a":"CANARY${'x'.repeat(5_000)}"}}`, 'why').slice(0, 3_000);
    expect(withoutObject(cut)).not.toContain('CANARY');
  });

  it('is not seen in other messages', () => {
    expect(
      withoutObject('deployments.apps "web" is invalid: spec.replicas: Invalid value: -1'),
    ).toBeUndefined();
  });
});
