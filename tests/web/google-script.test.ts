import { expect, test } from 'vitest';
import { emailIn } from '../../src/web/screens/Login/google-script.ts';

const token = (body: string) => `head.${Buffer.from(body).toString('base64url')}.signature`;

test('the account that was chosen at Google is a hint, or none where the token says no address', () => {
  expect(emailIn(token('{"email":"kim@example.org","name":"Kim ?>~"}'))).toBe('kim@example.org');
  for (const one of [undefined, '', 'no token', 'a.%%%.b', token('{"email":1}'), token('null'), token('"a"')])
    expect(emailIn(one)).toBeUndefined();
});
