import { eq } from 'drizzle-orm';
import { sessions } from '../store/schema/sessions.ts';
import type { Person } from './person.ts';

/** The row of the session that somebody acts in. */
export const sessionOf = ({ sessionHash }: Pick<Person, 'sessionHash'>) =>
  eq(sessions.tokenHash, Buffer.from(sessionHash, 'hex'));
