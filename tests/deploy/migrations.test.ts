import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../../src/server/store/migrations');

/** The last migration of before servers were replaced one by one. */
const baseline = '0035_counts_of_summaries.sql';

/**
 * What takes something away that the version before does not use any more, by its beginning, with the version that
 * stopped using it: a version goes out with servers of the version before still running.
 */
const secondSteps: Readonly<Record<string, string>> = {};

/** What a migration itself has added, which no server of the version before writes. */
interface Additions {
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
}

/** What a statement does to a server of the version before; undefined where it can go on. */
function breakage(statement: string, own: Additions): string | undefined {
  const sql = statement
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim();
  const table = /^ALTER TABLE (?:ONLY )?(?:IF EXISTS )?"?(?:public"?\."?)?(\w+)"?/i.exec(sql)?.[1];
  const indexed = /^CREATE UNIQUE INDEX .*? ON (?:ONLY )?"?(?:public"?\."?)?(\w+)"?/i.exec(sql)?.[1];
  if ([table, indexed].some((name) => name !== undefined && own.tables.has(name))) return undefined;
  if (/\bDROP\b/i.test(sql)) return 'takes away what it may use';
  if (/\bRENAME\b/i.test(sql)) return 'renames what it may use';
  if (/\bSET NOT NULL\b/i.test(sql)) return 'refuses rows that it may write';
  if (/\b(SET DATA )?TYPE\b/i.test(sql) && /\bALTER COLUMN\b/i.test(sql)) return 'changes a type';
  if (/\bADD COLUMN\b/i.test(sql) && /\bNOT NULL\b/i.test(sql) && !/\b(DEFAULT|GENERATED)\b/i.test(sql))
    return 'wants a value that it does not write';
  const bound = /\bFOREIGN KEY \("(\w+)"\)/i.exec(sql)?.[1];
  if (bound !== undefined && own.columns.has(bound)) return undefined;
  if (/\bADD CONSTRAINT\b/i.test(sql) || indexed !== undefined) return 'refuses rows that it may write';
  if (/^(DELETE|TRUNCATE)\b/i.test(sql)) return 'deletes rows';
  return undefined;
}

/** Statements of a migration that a server of the version before does not stand, each with why. */
function breakages(migration: string): readonly string[] {
  const statements = migration.split('--> statement-breakpoint').map((one) => one.trim());
  const named = (pattern: RegExp) => new Set(statements.flatMap((one) => pattern.exec(one)?.[1] ?? []));
  const own = {
    tables: named(/^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/i),
    columns: named(/\bADD COLUMN "?(\w+)"?/i),
  };
  return statements.flatMap((one) => {
    const why = breakage(one, own);
    return why === undefined ? [] : [`${one}: ${why}`];
  });
}

const since = readdirSync(folder).filter((file) => file.endsWith('.sql') && file > baseline);

test.each(since)('%s: a server of the version before goes on beside it', (file) => {
  const found = breakages(readFileSync(join(folder, file), 'utf8'));
  const unlisted = found.filter((one) => !Object.keys(secondSteps).some((begin) => one.startsWith(begin)));
  expect(unlisted).toEqual([]);
});

test('what is listed as a second step is in a migration', () => {
  const all = since.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(Object.keys(secondSteps).filter((begin) => !all.includes(begin))).toEqual([]);
});

test.each([
  ['ALTER TABLE "users" DROP COLUMN "name";', 1],
  ['ALTER TABLE "users" RENAME COLUMN "name" TO "title";', 1],
  ['ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL;', 1],
  ['ALTER TABLE "users" ALTER COLUMN "name" SET DATA TYPE integer;', 1],
  ['ALTER TABLE "users" ADD COLUMN "age" integer NOT NULL;', 1],
  ['ALTER TABLE "users" ADD COLUMN "age" integer DEFAULT 0 NOT NULL;', 0],
  ['ALTER TABLE "users" ADD COLUMN "age" integer;', 0],
  ['ALTER TABLE "users" ADD CONSTRAINT "users_age" CHECK (age > 0);', 1],
  ['CREATE UNIQUE INDEX "users_name" ON "users" USING btree ("name");', 1],
  ['CREATE INDEX "users_name" ON "users" USING btree ("name");', 0],
  [
    'CREATE TABLE "pets" ("id" integer NOT NULL);\n--> statement-breakpoint\nALTER TABLE "pets" ADD CONSTRAINT "pets_id" UNIQUE("id");--> statement-breakpoint\nCREATE UNIQUE INDEX "pets_one" ON "pets" ("id");',
    0,
  ],
  ['UPDATE "users" SET "name" = \'drop it\' WHERE "name" IS NULL;', 0],
  [
    'ALTER TABLE "users" ADD COLUMN "by" integer;--> statement-breakpoint\nALTER TABLE "users" ADD CONSTRAINT "users_by" FOREIGN KEY ("by") REFERENCES "users"("id");',
    0,
  ],
  ['DELETE FROM "users";', 1],
])('%s breaks a server of the version before %d times', (migration, times) => {
  expect(breakages(migration)).toHaveLength(times);
});
