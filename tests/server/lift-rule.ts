import { randomBytes } from 'node:crypto';
import { liftRuleCommand } from '../../src/server/boot/admin/lift-rule.ts';
import { readConfig } from '../../src/server/kit/config.ts';
import type { TestConsole } from './harness.ts';

/** Lifts a rule of a company as the operator does on the command line, beside the running console. */
export async function liftRule(console: TestConsole, rule: string, companyId: number): Promise<void> {
  const { config } = readConfig({
    DATABASE_URL: console.services.config.databaseUrl ?? '',
    WHEELHOUSE_SECRET_KEY: `k1:${randomBytes(32).toString('base64')}`,
  });
  if (config === null) throw new Error('The settings of the test are wrong.');
  await liftRuleCommand({ config, say: () => undefined }, rule, String(companyId));
}
