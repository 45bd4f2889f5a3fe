import { type TeamRole, teamRoles } from '../../../contract/permissions.ts';
import { delimiterOf, type TextRecord, recordsOf } from './separated-text.ts';

/** A place in a team that somebody is offered. */
export interface OfferedPlace {
  readonly teamId: number;
  readonly role: TeamRole;
}

/** One address that somebody typed, pasted or read from a file. */
export interface InvitedLine {
  /** Counted from 1, in the text. */
  readonly line: number;
  readonly email: string;
  /** Teams of this address alone. */
  readonly teams: readonly OfferedPlace[];
  /** Why the address cannot be invited, as a sentence; undefined where it can. */
  readonly problem: string | undefined;
  /** The line itself is wrong: its address, or a team that it names. */
  readonly isUnreadable: boolean;
}

/** Teams, members and open invitations that the page knows. */
export interface KnownOrganisation {
  /** Undefined while they are read. */
  readonly teams: readonly { readonly id: number; readonly name: string }[] | undefined;
  /** Addresses of its people, in lower case. */
  readonly members: ReadonlySet<string>;
  /** Addresses that have an open invitation, in lower case. */
  readonly invited: ReadonlySet<string>;
}

/** An address and the teams beside it, as they are written. */
interface WrittenLine {
  readonly line: number;
  readonly email: string;
  readonly teams: readonly string[];
}

const headings = { email: /^(e-?mail( address)?|address)$/i, teams: /^teams?$/i };
const isAddress = (text: string) =>
  /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/.test(text) && text.length <= 254;

/**
 * The addresses in a text, each judged by itself. The text has one address a line, several separated by commas, semicolons
 * or spaces, or is a CSV: the address, then its teams, as `Shop` or `Shop as TeamAdmin`. With a line of headings the columns
 * `email` and `teams` are read and all others are left out.
 */
export function invitedLines(text: string, known: KnownOrganisation): readonly InvitedLine[] {
  const seen = new Set<string>();
  return writtenLines(text).map(({ line, email, teams }) => {
    const places = placesOf(teams, known.teams);
    const address = email.toLowerCase();
    const isRepeated = seen.has(address);
    seen.add(address);
    const unreadable = isAddress(email) ? places.problem : `“${email}” is not an email address.`;
    const refused = () => {
      if (isRepeated) return 'It is listed more than once.';
      if (known.members.has(address)) return 'It belongs to your organisation already.';
      return known.invited.has(address) ? 'It has an open invitation already.' : undefined;
    };
    const problem = unreadable ?? refused();
    return { line, email, teams: places.found, problem, isUnreadable: unreadable !== undefined };
  });
}

function writtenLines(text: string): readonly WrittenLine[] {
  const records = recordsOf(text, delimiterOf(text));
  const first = records[0]?.cells ?? [];
  const emailAt = first.findIndex((cell) => headings.email.test(cell));
  if (emailAt === -1 || first.some((cell) => cell.includes('@'))) return records.flatMap(withoutHeadings);
  const teamsAt = first.findIndex((cell) => headings.teams.test(cell));
  return records.slice(1).map(({ line, cells }) => ({
    line,
    email: cells[emailAt] ?? '',
    teams: teamsAt === -1 ? [] : [cells[teamsAt] ?? ''],
  }));
}

/** The addresses of a record whose columns have no headings. */
function withoutHeadings({ line, cells }: TextRecord): readonly WrittenLine[] {
  const inBrackets = [...cells.join(', ').matchAll(/<([^<>\s]+@[^<>\s]+)>/g)].map(([, email = '']) => email);
  if (inBrackets.length > 0) return inBrackets.map((email) => ({ line, email, teams: [] }));
  const parts = cells.flatMap((cell) => (cell.split('@').length > 2 ? cell.split(/[\s,;]+/) : [cell]));
  const addresses = parts.filter((part) => part.includes('@'));
  // Several addresses: a list of them, in which each other part is none.
  if (addresses.length > 1)
    return parts.filter((part) => part !== '').map((email) => ({ line, email, teams: [] }));
  const [email = '', ...teams] = cells;
  return [{ line, email, teams }];
}

/** The places in teams that are written beside an address. */
function placesOf(
  written: readonly string[],
  teams: KnownOrganisation['teams'],
): { readonly found: readonly OfferedPlace[]; readonly problem: string | undefined } {
  const names = written.flatMap((cell) => cell.split(/[;|]/)).map((name) => name.trim());
  const wanted = names.filter((name) => name !== '');
  if (wanted.length === 0) return { found: [], problem: undefined };
  if (teams === undefined) return { found: [], problem: 'The teams are not loaded yet.' };
  const found = new Map<number, TeamRole>();
  for (const text of wanted) {
    const isName = teams.some((one) => sameText(one.name, text));
    // A team may have “as” in its name.
    const [, name = text, role = 'Viewer'] = isName ? [] : (/^(.*\S)\s+as\s+(\w+)$/i.exec(text) ?? []);
    const team = teams.find((one) => sameText(one.name, name));
    if (team === undefined) return { found: [], problem: `There is no team “${name}”.` };
    const given = Object.entries(teamRoles).find(([known]) => sameText(known, role));
    if (given === undefined)
      return {
        found: [],
        problem: `“${role}” is no role in a team: use ${Object.keys(teamRoles).join(', ')}.`,
      };
    found.set(team.id, given[1]);
  }
  return { found: [...found].map(([teamId, role]) => ({ teamId, role })), problem: undefined };
}

const sameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
